using System.Numerics;

namespace Dns.Answering.Cookies;

/// <summary>SipHash-2-4, a keyed hash that cannot be computed without the key.</summary>
/// <remarks>Takes words of eight octets in little-endian order; the caller pads the last one.</remarks>
internal struct SipHash
{
    private ulong _v0, _v1, _v2, _v3;

    internal SipHash(ulong key0, ulong key1)
    {
        _v0 = key0 ^ 0x736F6D6570736575;
        _v1 = key1 ^ 0x646F72616E646F6D;
        _v2 = key0 ^ 0x6C7967656E657261;
        _v3 = key1 ^ 0x7465646279746573;
    }

    internal void Add(ulong word)
    {
        _v3 ^= word;
        Round();
        Round();
        _v0 ^= word;
    }

    /// <summary>Adds the remaining 0 to 7 octets, with the total length modulo 256 in the highest eight bits.</summary>
    internal ulong Finish(ulong lastWord)
    {
        Add(lastWord);
        _v2 ^= 0xFF;
        Round();
        Round();
        Round();
        Round();
        return _v0 ^ _v1 ^ _v2 ^ _v3;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Round()
    {
        _v0 += _v1;
        _v2 += _v3;
        _v1 = BitOperations.RotateLeft(_v1, 13) ^ _v0;
        _v3 = BitOperations.RotateLeft(_v3, 16) ^ _v2;
        _v0 = BitOperations.RotateLeft(_v0, 32);
        _v2 += _v1;
        _v0 += _v3;
        _v1 = BitOperations.RotateLeft(_v1, 17) ^ _v2;
        _v3 = BitOperations.RotateLeft(_v3, 21) ^ _v0;
        _v2 = BitOperations.RotateLeft(_v2, 32);
    }
}
