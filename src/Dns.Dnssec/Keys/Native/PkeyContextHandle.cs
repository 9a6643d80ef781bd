using System.Runtime.InteropServices;

namespace Dns.Dnssec;

/// <summary>EVP_PKEY_CTX: a key set up for one operation, for one thread at a time.</summary>
internal sealed class PkeyContextHandle() : SafeHandle(0, ownsHandle: true)
{
    /// <inheritdoc/>
    public override bool IsInvalid => handle == 0;

    /// <inheritdoc/>
    protected override bool ReleaseHandle()
    {
        LibCrypto.FreeContext(handle);
        return true;
    }
}
