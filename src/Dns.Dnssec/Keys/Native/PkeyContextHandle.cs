namespace Dns.Dnssec.Keys.Native;

/// <summary>EVP_PKEY_CTX: a key set up for one operation, for one thread at a time.</summary>
internal sealed class PkeyContextHandle() : SafeHandle(0, ownsHandle: true)
{
    public override bool IsInvalid => handle == 0;

    protected override bool ReleaseHandle()
    {
        LibCrypto.FreeContext(handle);
        return true;
    }
}
