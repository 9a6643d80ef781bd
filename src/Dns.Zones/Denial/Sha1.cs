using System.Numerics;

namespace Dns.Zones.Denial;

/// <summary>SHA-1 (RFC 3174) over a message in a buffer with room for the padding.</summary>
internal static class Sha1
{
    private const int BlockOctets = 64;
    private const int LengthOctets = 8;
    private const int ScheduleWords = 80;

    /// <summary>Octets of a message with its padding: whole blocks, a marker and the length at the end.</summary>
    internal static int PaddedOctets(int octets) => (octets + LengthOctets + BlockOctets) / BlockOctets * BlockOctets;

    /// <summary>Hashes a message.</summary>
    /// <param name="buffer">The message, then room up to <see cref="PaddedOctets"/> octets, overwritten.</param>
    /// <param name="hash">Receives 20 octets.</param>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Hash(Span<byte> buffer, int length, Span<byte> hash)
    {
        int padded = PaddedOctets(length);
        Span<byte> tail = buffer[length..padded];
        tail.Clear();
        tail[0] = 0x80;
        BinaryPrimitives.WriteInt32BigEndian(tail[^sizeof(int)..], length * 8);
        State state = State.Initial;
        Span<uint> words = stackalloc uint[ScheduleWords];
        for (int at = 0; at < padded; at += BlockOctets) Add(buffer.Slice(at, BlockOctets), words, ref state);
        BinaryPrimitives.WriteUInt32BigEndian(hash, state.A);
        BinaryPrimitives.WriteUInt32BigEndian(hash[4..], state.B);
        BinaryPrimitives.WriteUInt32BigEndian(hash[8..], state.C);
        BinaryPrimitives.WriteUInt32BigEndian(hash[12..], state.D);
        BinaryPrimitives.WriteUInt32BigEndian(hash[16..], state.E);
    }

    private static void Add(ReadOnlySpan<byte> block, Span<uint> words, ref State state)
    {
        for (int i = 0; i < BlockOctets / sizeof(uint); i++)
            words[i] = BinaryPrimitives.ReadUInt32BigEndian(block[(i * sizeof(uint))..]);
        for (int i = BlockOctets / sizeof(uint); i < words.Length; i++)
            words[i] = BitOperations.RotateLeft(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
        AddRounds(ref words[0], ref state);
    }

    /// <summary>The 80 rounds, unrolled by five, so that no word of the state moves.</summary>
    /// <param name="word">The first of <see cref="ScheduleWords"/> words: each i below is at most 75.</param>
    private static void AddRounds(ref uint word, ref State state)
    {
        (uint a, uint b, uint c, uint d, uint e) = (state.A, state.B, state.C, state.D, state.E);
        for (int i = 0; i < 20; i += 5)
        {
            Round(a, ref b, d ^ b & (c ^ d), ref e, Unsafe.Add(ref word, i) + 0x5A827999);
            Round(e, ref a, c ^ a & (b ^ c), ref d, Unsafe.Add(ref word, i + 1) + 0x5A827999);
            Round(d, ref e, b ^ e & (a ^ b), ref c, Unsafe.Add(ref word, i + 2) + 0x5A827999);
            Round(c, ref d, a ^ d & (e ^ a), ref b, Unsafe.Add(ref word, i + 3) + 0x5A827999);
            Round(b, ref c, e ^ c & (d ^ e), ref a, Unsafe.Add(ref word, i + 4) + 0x5A827999);
        }
        for (int i = 20; i < 40; i += 5)
        {
            Round(a, ref b, b ^ c ^ d, ref e, Unsafe.Add(ref word, i) + 0x6ED9EBA1);
            Round(e, ref a, a ^ b ^ c, ref d, Unsafe.Add(ref word, i + 1) + 0x6ED9EBA1);
            Round(d, ref e, e ^ a ^ b, ref c, Unsafe.Add(ref word, i + 2) + 0x6ED9EBA1);
            Round(c, ref d, d ^ e ^ a, ref b, Unsafe.Add(ref word, i + 3) + 0x6ED9EBA1);
            Round(b, ref c, c ^ d ^ e, ref a, Unsafe.Add(ref word, i + 4) + 0x6ED9EBA1);
        }
        for (int i = 40; i < 60; i += 5)
        {
            Round(a, ref b, b & c | d & (b | c), ref e, Unsafe.Add(ref word, i) + 0x8F1BBCDC);
            Round(e, ref a, a & b | c & (a | b), ref d, Unsafe.Add(ref word, i + 1) + 0x8F1BBCDC);
            Round(d, ref e, e & a | b & (e | a), ref c, Unsafe.Add(ref word, i + 2) + 0x8F1BBCDC);
            Round(c, ref d, d & e | a & (d | e), ref b, Unsafe.Add(ref word, i + 3) + 0x8F1BBCDC);
            Round(b, ref c, c & d | e & (c | d), ref a, Unsafe.Add(ref word, i + 4) + 0x8F1BBCDC);
        }
        for (int i = 60; i < 80; i += 5)
        {
            Round(a, ref b, b ^ c ^ d, ref e, Unsafe.Add(ref word, i) + 0xCA62C1D6);
            Round(e, ref a, a ^ b ^ c, ref d, Unsafe.Add(ref word, i + 1) + 0xCA62C1D6);
            Round(d, ref e, e ^ a ^ b, ref c, Unsafe.Add(ref word, i + 2) + 0xCA62C1D6);
            Round(c, ref d, d ^ e ^ a, ref b, Unsafe.Add(ref word, i + 3) + 0xCA62C1D6);
            Round(b, ref c, c ^ d ^ e, ref a, Unsafe.Add(ref word, i + 4) + 0xCA62C1D6);
        }
        state = new State(state.A + a, state.B + b, state.C + c, state.D + d, state.E + e);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Round(uint a, ref uint b, uint mixed, ref uint e, uint word)
    {
        e += BitOperations.RotateLeft(a, 5) + mixed + word;
        b = BitOperations.RotateLeft(b, 30);
    }

    private readonly record struct State(uint A, uint B, uint C, uint D, uint E)
    {
        internal static State Initial => new(0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0);
    }
}
