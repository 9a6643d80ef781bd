namespace Dns.Dnssec.Keys;

/// <summary>A private key in a library, which makes signatures. Thread-safe.</summary>
internal abstract class NativeSigningKey : IDisposable
{
    /// <summary>Signs into a large enough span; returns the length in DNSSEC form, 0 if the library failed.</summary>
    internal abstract int Sign(ReadOnlySpan<byte> data, Span<byte> signature);

    /// <summary>Clears the key.</summary>
    public abstract void Dispose();
}
