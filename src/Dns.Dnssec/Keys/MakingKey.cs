namespace Dns.Dnssec;

/// <summary>A private key in a library, which makes signatures. Thread-safe.</summary>
internal abstract class MakingKey : IDisposable
{
    /// <summary>Signs octets; the signature span is large enough.</summary>
    /// <returns>The length of the signature in DNSSEC form; 0 if the library failed.</returns>
    internal abstract int Sign(ReadOnlySpan<byte> data, Span<byte> signature);

    /// <summary>Clears the key.</summary>
    public abstract void Dispose();
}
