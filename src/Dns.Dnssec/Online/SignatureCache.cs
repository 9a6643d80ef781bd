namespace Dns.Dnssec.Online;

/// <summary>Signatures made for answers, by a digest of signed data and key. One array of constant size.</summary>
/// <remarks>
/// <code>
/// entry   8 octets  version, odd while the entry is written
///        16         first half of a SHA-256 digest
///         8         inception and expiration, seconds since 1970 modulo 2^32; expiration 0 = empty
///         n         signature
/// </code>
/// Thread-safe without locks: a reader checks the version before and after copying, a writer that meets another one
/// gives up. Of the entries that a digest may use, names that clients invent evict only each other.
/// </remarks>
internal sealed class SignatureCache
{
    /// <summary>Octets of a digest, of which the first half is compared.</summary>
    internal const int DigestOctets = 32;

    private const int Ways = 8, WaysOfAnyName = 2;
    private const int LowAt = 1, HighAt = 2, TimesAt = 3, SignatureAt = 4;

    private readonly ulong[] _entries;
    private readonly int _stride;
    private readonly uint _sets;

    /// <param name="octets">The maximum size of all entries.</param>
    /// <param name="signatureOctets">The maximum size of a signature.</param>
    internal SignatureCache(long octets, int signatureOctets)
    {
        _stride = SignatureAt + (signatureOctets + sizeof(ulong) - 1) / sizeof(ulong);
        _sets = (uint)Math.Clamp(octets / (Ways * _stride * sizeof(ulong)), 1, Array.MaxLength / (Ways * _stride));
        _entries = new ulong[_sets * Ways * _stride];
    }

    internal long MemoryBytes => (long)_entries.Length * sizeof(ulong);

    /// <summary>The capacity in signatures.</summary>
    internal long Capacity => (long)_sets * Ways;

    /// <summary>Copies a signature.</summary>
    /// <param name="signature">Receives the signature; its length is that of the key's signatures.</param>
    internal bool TryFind(scoped ReadOnlySpan<byte> digest, scoped Span<byte> signature, out uint inception,
        out uint expiration)
    {
        (ulong low, ulong high) = Key(digest);
        int set = SetOf(high);
        for (int way = 0; way < Ways; way++)
        {
            Span<ulong> entry = _entries.AsSpan(set + way * _stride, _stride);
            ulong version = Volatile.Read(ref entry[0]);
            if (entry[LowAt] != low || entry[HighAt] != high) continue;
            ulong times = entry[TimesAt];
            MemoryMarshal.AsBytes(entry[SignatureAt..])[..signature.Length].CopyTo(signature);
            Interlocked.MemoryBarrier();
            if ((version & 1) != 0 || Volatile.Read(ref entry[0]) != version) continue;
            (inception, expiration) = ((uint)(times >> 32), (uint)times);
            return true;
        }
        (inception, expiration) = (0, 0);
        return false;
    }

    /// <summary>Stores a signature over the same one, an expired one, or the oldest.</summary>
    /// <param name="isOfAnyName">Whether a client may have invented the name.</param>
    internal void Add(
        scoped ReadOnlySpan<byte> digest, scoped ReadOnlySpan<byte> signature, uint inception, uint expiration,
        bool isOfAnyName, uint now)
    {
        (ulong low, ulong high) = Key(digest);
        Span<ulong> entry = _entries.AsSpan(SetOf(high) + Choose(low, high, isOfAnyName, now) * _stride, _stride);
        ulong version = Volatile.Read(ref entry[0]);
        if ((version & 1) != 0 || Interlocked.CompareExchange(ref entry[0], version + 1, version) != version) return;
        (entry[LowAt], entry[HighAt], entry[TimesAt]) = (low, high, (ulong)inception << 32 | expiration);
        signature.CopyTo(MemoryMarshal.AsBytes(entry[SignatureAt..]));
        Volatile.Write(ref entry[0], version + 2);
    }

    private int Choose(ulong low, ulong high, bool isOfAnyName, uint now)
    {
        int set = SetOf(high);
        (int first, int count) = isOfAnyName ? (0, WaysOfAnyName) : (WaysOfAnyName, Ways - WaysOfAnyName);
        int chosen = -1;
        uint oldest = 0;
        // Each digest starts at another entry: many signatures are made in the same second.
        for (int i = 0; i < count; i++)
        {
            int way = first + (int)((low + (uint)i) % (uint)count);
            ReadOnlySpan<ulong> entry = _entries.AsSpan(set + way * _stride, _stride);
            if (entry[LowAt] == low && entry[HighAt] == high) return way;
            uint age = unchecked(now - (uint)(entry[TimesAt] >> 32)), left = unchecked((uint)entry[TimesAt] - now);
            bool isFree = (uint)entry[TimesAt] == 0 || left > int.MaxValue;
            if (isFree) age = uint.MaxValue;
            if (chosen >= 0 && age <= oldest) continue;
            (chosen, oldest) = (way, age);
        }
        return chosen;
    }

    private static (ulong Low, ulong High) Key(ReadOnlySpan<byte> digest) =>
        (BinaryPrimitives.ReadUInt64LittleEndian(digest),
            BinaryPrimitives.ReadUInt64LittleEndian(digest[sizeof(ulong)..]));

    private int SetOf(ulong high) => (int)Math.BigMul(high, _sets, out _) * Ways * _stride;
}
