namespace Dns.Protocol;

/// <summary>
/// Random octets of the operating system, for a few keys and seeds. Thread-safe, one system call for 14 octets.
/// </summary>
/// <remarks>
/// <see cref="Guid.NewGuid"/> takes its 122 bits from the generator of the system for secrets. A
/// <c>RandomNumberGenerator</c> does too, but on Linux through OpenSSL, which costs a server that needs no other
/// cryptography 6 MB of memory and some milliseconds of its start.
/// </remarks>
public static class SystemRandom
{
    private const int GuidOctets = 16;

    // RFC 9562 §5.4: octet 6 begins with the version, octet 8 with the variant.
    private const int VersionAt = 6, VariantAt = 8;

    /// <summary>Fills octets with random values that cannot be predicted.</summary>
    public static void Fill(Span<byte> octets)
    {
        Span<byte> drawn = stackalloc byte[GuidOctets];
        for (int at = 0; at < octets.Length;)
        {
            Guid.NewGuid().TryWriteBytes(drawn, bigEndian: true, out _);
            for (int i = 0; i < GuidOctets && at < octets.Length; i++)
                if (i is not (VersionAt or VariantAt)) octets[at++] = drawn[i];
        }
    }

    /// <summary>A random number of 64 bits.</summary>
    public static ulong UInt64()
    {
        Span<byte> octets = stackalloc byte[sizeof(ulong)];
        Fill(octets);
        return System.Buffers.Binary.BinaryPrimitives.ReadUInt64LittleEndian(octets);
    }
}
