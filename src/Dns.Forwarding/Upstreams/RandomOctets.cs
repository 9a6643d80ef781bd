using System.Security.Cryptography;

namespace Dns.Forwarding.Upstreams;

/// <summary>
/// Unpredictable numbers for IDs, ports, letter case and cookies, from the system's cryptographic generator in batches.
/// Thread-safe.
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
            // Used octets are cleared, so that a memory disclosure does not reveal earlier IDs.
            taken.Clear();
            _next += destination.Length;
        }
    }

    internal ushort NextUInt16()
    {
        Span<byte> octets = stackalloc byte[2];
        Fill(octets);
        return BinaryPrimitives.ReadUInt16LittleEndian(octets);
    }

    /// <summary>A number below a bound that is far below 2^32, so that the bias is negligible.</summary>
    internal int Below(int bound)
    {
        Span<byte> octets = stackalloc byte[4];
        Fill(octets);
        return (int)((ulong)BinaryPrimitives.ReadUInt32LittleEndian(octets) * (uint)bound >> 32);
    }

    protected virtual void Refill(Span<byte> octets) => RandomNumberGenerator.Fill(octets);
}
