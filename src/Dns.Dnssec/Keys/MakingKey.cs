namespace Dns.Dnssec;

/// <summary>A private key in the form of a library, which makes signatures. Good for any number of threads.</summary>
internal abstract class MakingKey : IDisposable
{
    /// <summary>Signs some octets; the signature has room.</summary>
    /// <returns>The length of the signature in the form of DNSSEC; 0 if the library failed.</returns>
    internal abstract int Sign(ReadOnlySpan<byte> data, Span<byte> signature);

    /// <summary>Clears the key.</summary>
    public abstract void Dispose();
}
