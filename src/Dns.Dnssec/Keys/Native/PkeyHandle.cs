using System.Runtime.InteropServices;

namespace Dns.Dnssec;

/// <summary>EVP_PKEY: a key. Counted by the library; its memory is cleared with the last one who has it.</summary>
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
