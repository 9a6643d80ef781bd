namespace Dns.Dnssec.Keys.Native;

/// <summary>EVP_PKEY: a key, reference-counted by the library, which clears its memory at the last release.</summary>
internal sealed class PkeyHandle() : SafeHandle(0, ownsHandle: true)
{
    public override bool IsInvalid => handle == 0;

    protected override bool ReleaseHandle()
    {
        LibCrypto.FreeKey(handle);
        return true;
    }
}
