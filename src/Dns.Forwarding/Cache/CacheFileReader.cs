using System.Security.Cryptography;

namespace Dns.Forwarding.Cache;

/// <summary>Reads what <see cref="CacheFileWriter"/> wrote, after a check of the whole file.</summary>
/// <param name="stream">The file, from its start; read twice.</param>
internal sealed class CacheFileReader(Stream stream, ReadOnlySpan<byte> origin)
{
    // An entry with the longest name, most TTLs and most records.
    public const int MaxEntryBytes = EntryHeader.Bytes + WireName.MaxOctets + 2 * 5_958 + ushort.MaxValue;

    private readonly byte[] _origin = SHA256.HashData(origin);
    private readonly byte[] _entry = new byte[MaxEntryBytes];

    /// <summary>The wall clock at the save.</summary>
    public DateTimeOffset SavedAt { get; private set; }

    private bool HasOtherOrigin { get; set; }

    /// <summary>Checks version, checksum and the form of every entry. Leaves the stream at the first entry.</summary>
    public CacheFileFault Verify()
    {
        long length = stream.Length - SHA256.HashSizeInBytes, start = stream.Position;
        if (length < CacheFileWriter.HeadBytes + sizeof(int) || !TryReadHead()) return CacheFileFault.Version;
        if (!HasGoodHash(start, length)) return CacheFileFault.Checksum;
        if (HasOtherOrigin) return CacheFileFault.Origin;
        bool isWellFormed = true;
        stream.Position = start + CacheFileWriter.HeadBytes;
        while (TryRead(out EntryHeader header, out ReadOnlySpan<byte> entry))
            isWellFormed &= IsWellFormed(in header, entry);
        bool isAtEnd = stream.Position == start + length;
        stream.Position = start + CacheFileWriter.HeadBytes;
        return !isWellFormed ? CacheFileFault.Entry : isAtEnd ? CacheFileFault.None : CacheFileFault.Length;
    }

    /// <summary>Reads the next entry, valid until the one after it is read; false at the end.</summary>
    public bool TryRead(out EntryHeader header, out ReadOnlySpan<byte> entry)
    {
        header = default;
        entry = default;
        int length = 0;
        if (!Fill(MemoryMarshal.AsBytes(new Span<int>(ref length))) || length < EntryHeader.Bytes ||
            length > MaxEntryBytes) return false;
        if (!Fill(_entry.AsSpan(0, length))) return false;
        entry = _entry.AsSpan(0, length);
        header = MemoryMarshal.Read<EntryHeader>(entry);
        return true;
    }

    private bool TryReadHead()
    {
        Span<byte> head = stackalloc byte[CacheFileWriter.HeadBytes];
        if (!Fill(head) || !head.StartsWith(AnswerCache.FileMark)) return false;
        if (MemoryMarshal.Read<uint>(head[8..]) != CacheFileWriter.Version) return false;
        long milliseconds = MemoryMarshal.Read<long>(head[12..]);
        if (milliseconds is < 0 or > 253_402_300_799_999) return false;
        HasOtherOrigin = !head[CacheFileWriter.OriginAt..].SequenceEqual(_origin);
        SavedAt = DateTimeOffset.FromUnixTimeMilliseconds(milliseconds);
        return true;
    }

    private bool HasGoodHash(long start, long length)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        stream.Position = start;
        for (long left = length; left > 0;)
        {
            Span<byte> part = _entry.AsSpan(0, (int)Math.Min(left, _entry.Length));
            if (!Fill(part)) return false;
            hash.AppendData(part);
            left -= part.Length;
        }
        Span<byte> expected = stackalloc byte[SHA256.HashSizeInBytes];
        return Fill(expected) && expected.SequenceEqual(hash.GetHashAndReset());
    }

    private bool Fill(Span<byte> octets) =>
        stream.ReadAtLeast(octets, octets.Length, throwOnEndOfStream: false) == octets.Length;

    /// <summary>Whether lengths are consistent, the name is valid, and each record's TTL is at its offset.</summary>
    private static bool IsWellFormed(in EntryHeader header, ReadOnlySpan<byte> entry)
    {
        if (header.Length != entry.Length || !WireName.IsValid(entry.Slice(EntryHeader.Bytes, header.NameOctets)))
            return false;
        ReadOnlySpan<ushort> offsets = MemoryMarshal.Cast<byte, ushort>(entry[header.TtlOffset..header.RecordOffset]);
        int questionOctets = MessageHeader.LengthOctets + header.NameOctets + sizeof(uint);
        RecordReader records = RecordReader.OfDetached(entry[header.RecordOffset..], offsets.Length, questionOctets);
        for (int i = 0; records.TryRead(); i++)
            if (records.TtlOffset != offsets[i]) return false;
        return records.IsAtEnd;
    }
}
