namespace Dns.Dnssec.Keys.Native;

/// <summary>EVP_MD_CTX: signs or verifies octets of any length, for one thread at a time.</summary>
internal sealed class DigestContextHandle() : SafeHandle(0, ownsHandle: true)
{
    public override bool IsInvalid => handle == 0;

    protected override bool ReleaseHandle()
    {
        LibCrypto.FreeDigestContext(handle);
        return true;
    }
}
