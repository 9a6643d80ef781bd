using System.Runtime.InteropServices;

namespace Dns.Dnssec;

/// <summary>EVP_PKEY: a key, reference-counted by the library, which clears its memory at the last release.</summary>
internal sealed class PkeyHandle() : SafeHandle(0, ownsHandle: true)
{
    /// <inheritdoc/>
    public override bool IsInvalid => handle == 0;

    /// <inheritdoc/>
    protected override bool ReleaseHandle()
    {
        LibCrypto.FreeKey(handle);
        return true;
    }
}
