using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Dns.Forwarding;

/// <summary>
/// Numbers nobody can guess, for IDs, ports, letter case and cookies: the system's cryptographic generator, asked for many
/// octets at once. Safe to use from any thread.
/// </summary>
internal class RandomOctets
{
    private readonly Lock _gate = new();
    private readonly byte[] _octets = new byte[4096];
    private int _next = 4096;

    /// <summary>Fills a span of at most 256 octets.</summary>
    internal void Fill(Span<byte> destination)
    {
        lock (_gate)
        {
            if (_octets.Length - _next < destination.Length)
            {
                Refill(_octets);
                _next = 0;
            }
            Span<byte> taken = _octets.AsSpan(_next, destination.Length);
            taken.CopyTo(destination);
            // What was used once is not kept: a later look into memory must not tell earlier IDs.
            taken.Clear();
            _next += destination.Length;
        }
    }

    /// <summary>Sixteen bits.</summary>
    internal ushort NextUInt16()
    {
        Span<byte> octets = stackalloc byte[2];
        Fill(octets);
        return BinaryPrimitives.ReadUInt16LittleEndian(octets);
    }

    /// <summary>A number from 0 to <paramref name="bound"/> - 1; the bound is far below 2^32, so the bias does not matter.</summary>
    internal int Below(int bound)
    {
        Span<byte> octets = stackalloc byte[4];
        Fill(octets);
        return (int)((ulong)BinaryPrimitives.ReadUInt32LittleEndian(octets) * (uint)bound >> 32);
    }

    /// <summary>Draws fresh octets.</summary>
    protected virtual void Refill(Span<byte> octets) => RandomNumberGenerator.Fill(octets);
}
