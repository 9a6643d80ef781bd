using System.Security.Cryptography;

namespace Dns.Protocol;

/// <summary>Random octets of the operating system, for keys and seeds. Thread-safe.</summary>
/// <remarks>
/// On Linux from the kernel: <see cref="RandomNumberGenerator"/> asks OpenSSL there, which costs a server that needs no
/// other cryptography 6 MB of memory and some milliseconds of its start.
/// </remarks>
public static partial class SystemRandom
{
    /// <summary>Fills octets with random values that cannot be predicted.</summary>
    public static void Fill(Span<byte> octets)
    {
        while (OperatingSystem.IsLinux() && !octets.IsEmpty)
        {
            nint written = GetRandom(octets, (nuint)octets.Length, 0);
            if (written <= 0) break;
            octets = octets[(int)written..];
        }
        // Elsewhere, and where a filter forbids the call.
        if (!octets.IsEmpty) RandomNumberGenerator.Fill(octets);
    }

    /// <summary>A random number of 64 bits.</summary>
    public static ulong UInt64()
    {
        Span<byte> octets = stackalloc byte[sizeof(ulong)];
        Fill(octets);
        return BinaryPrimitives.ReadUInt64LittleEndian(octets);
    }

    [LibraryImport("libc", EntryPoint = "getrandom")]
    private static partial nint GetRandom(Span<byte> octets, nuint length, uint flags);
}
