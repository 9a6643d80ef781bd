using System.Buffers;
using System.Numerics;

namespace Dns.Replication.Journal;

/// <summary>The format of a journal. All numbers are in network order.</summary>
/// <remarks>
/// <code>
/// header   8   "dnsdjrnl"
///          1   version of the format, 1
///          1   length of the zone's name
///          4   serial of the base
///          16  digest of the base
///          n   the zone's name, lower case
///          4   CRC-32C of all that
/// entry    4   length of the body
///          4   the same, inverted: distinguishes a truncated length from a damaged one
///          4   CRC-32C of the CRC before it, the length and the body: reveals entries of another file or order
///          1   kind: 1 = changes, 2 = mark                                                             | body
///          ... changes: serial from, serial to, count removed, count added (4 each), then the records  |
///              mark: serial (4), digest (16)                                                           |
/// record   1   length of the owner, then the owner
///          2   type
///          4   TTL
///          2   length of the RDATA, then the RDATA
/// </code>
/// </remarks>
internal static class JournalFormat
{
    internal static ReadOnlySpan<byte> Magic => "dnsdjrnl"u8;

    internal const byte Version = 1;

    /// <summary>Octets of a header before the zone's name.</summary>
    internal const int HeaderFixedOctets = 8 + 1 + 1 + 4 + 16;

    internal const int MaxHeaderOctets = HeaderFixedOctets + WireName.MaxOctets + CrcOctets;

    /// <summary>Octets of an entry before its body.</summary>
    internal const int EntryFixedOctets = 4 + 4 + 4;

    /// <summary>The maximum length of a body; a larger change is refused.</summary>
    internal const int MaxBodyOctets = 1 << 30;

    internal const byte Changes = 1, Mark = 2;
    internal const int CrcOctets = 4;

    private const int ChangesFixedOctets = 1 + 4 * 4;
    private const int MarkOctets = 1 + 4 + 16;
    private const int LeastRecordOctets = 1 + 1 + 2 + 4 + 2;

    /// <summary>The minimum length of an entry of changes: an SOA is removed, and one added.</summary>
    internal const int LeastChangeOctets = EntryFixedOctets + ChangesFixedOctets + 2 * (LeastRecordOctets + 2 + 5 * 4);

    /// <summary>CRC-32C (RFC 3720 appendix B.4), continued from another.</summary>
    internal static uint Crc(uint crc, ReadOnlySpan<byte> octets)
    {
        crc = ~crc;
        for (; octets.Length >= sizeof(ulong); octets = octets[sizeof(ulong)..])
            crc = BitOperations.Crc32C(crc, BinaryPrimitives.ReadUInt64LittleEndian(octets));
        foreach (byte octet in octets) crc = BitOperations.Crc32C(crc, octet);
        return ~crc;
    }

    /// <summary>The CRC of an entry.</summary>
    internal static uint CrcOf(uint before, ReadOnlySpan<byte> body)
    {
        Span<byte> length = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(length, body.Length);
        return Crc(Crc(before, length), body);
    }

    /// <summary>Writes a header; returns its CRC, from which the first entry continues.</summary>
    internal static uint WriteHeader(ArrayBufferWriter<byte> output, DomainName zone, JournalBase from)
    {
        int start = output.WrittenCount;
        output.Write(Magic);
        output.Write([Version, (byte)zone.Octets.Length]);
        Write(output, from);
        Span<byte> name = output.GetSpan(zone.Octets.Length);
        WireName.ToLower(zone.Octets, name);
        output.Advance(zone.Octets.Length);
        uint crc = Crc(0, output.WrittenSpan[start..]);
        WriteUInt32(output, crc);
        return crc;
    }

    /// <summary>The length of an entry of changes.</summary>
    internal static long OctetsOf(ZoneDelta delta) =>
        EntryFixedOctets + ChangesFixedOctets + OctetsOf(delta.Removed) + OctetsOf(delta.Added);

    /// <summary>Writes an entry of changes; returns its CRC. Writes nothing if the body is too long.</summary>
    internal static uint WriteChanges(ArrayBufferWriter<byte> output, uint crc, ZoneDelta delta, out bool fits)
    {
        long octets = OctetsOf(delta) - EntryFixedOctets;
        fits = octets <= MaxBodyOctets;
        if (!fits) return crc;
        Span<byte> room = BeginEntry(output, (int)octets);
        Span<byte> body = room[EntryFixedOctets..];
        body[0] = Changes;
        BinaryPrimitives.WriteUInt32BigEndian(body[1..], delta.SerialFrom);
        BinaryPrimitives.WriteUInt32BigEndian(body[5..], delta.SerialTo);
        BinaryPrimitives.WriteInt32BigEndian(body[9..], delta.Removed.Count);
        BinaryPrimitives.WriteInt32BigEndian(body[13..], delta.Added.Count);
        WriteRecords(delta.Added, WriteRecords(delta.Removed, body[ChangesFixedOctets..]));
        return EndEntry(output, room, crc);
    }

    /// <summary>Writes a mark for a version that was written out; returns its CRC.</summary>
    internal static uint WriteMark(ArrayBufferWriter<byte> output, uint crc, JournalBase at)
    {
        Span<byte> room = BeginEntry(output, MarkOctets);
        room[EntryFixedOctets] = Mark;
        Write(room[(EntryFixedOctets + 1)..], at);
        return EndEntry(output, room, crc);
    }

    /// <summary>Parses a complete header with a correct CRC.</summary>
    internal static JournalBase ReadBase(ReadOnlySpan<byte> octets) =>
        new(BinaryPrimitives.ReadUInt32BigEndian(octets), BinaryPrimitives.ReadUInt128BigEndian(octets[4..]));

    /// <summary>Parses the octets of an entry before its body; false if they cannot be such.</summary>
    /// <param name="left">Octets of the file from there on.</param>
    internal static bool TryReadStart(ReadOnlySpan<byte> octets, long left, out int length, out uint crc)
    {
        length = BinaryPrimitives.ReadInt32BigEndian(octets);
        crc = BinaryPrimitives.ReadUInt32BigEndian(octets[8..]);
        return length == ~BinaryPrimitives.ReadInt32BigEndian(octets[4..]) && length is >= 1 and <= MaxBodyOctets
            && length <= left - EntryFixedOctets;
    }

    /// <summary>The serial that an intact body leads to; null for none.</summary>
    internal static uint? FindSerialTo(ReadOnlySpan<byte> body) =>
        body.Length >= ChangesFixedOctets && body[0] == Changes
            ? BinaryPrimitives.ReadUInt32BigEndian(body[5..]) : null;

    internal static bool TryReadMark(ReadOnlySpan<byte> body, out JournalBase at)
    {
        at = body.Length == MarkOctets ? ReadBase(body[1..]) : default;
        return body.Length == MarkOctets;
    }

    /// <summary>Parses the body of changes. Never throws.</summary>
    internal static bool TryReadChanges(DomainName zone, ReadOnlySpan<byte> body,
        [NotNullWhen(true)] out ZoneDelta? delta)
    {
        delta = null;
        if (body.Length < ChangesFixedOctets) return false;
        ZoneDeltaBuilder builder = new(zone, BinaryPrimitives.ReadUInt32BigEndian(body[1..]));
        uint removed = BinaryPrimitives.ReadUInt32BigEndian(body[9..]),
            added = BinaryPrimitives.ReadUInt32BigEndian(body[13..]);
        ReadOnlySpan<byte> left = body[ChangesFixedOctets..];
        if ((long)removed + added > left.Length / LeastRecordOctets) return false;
        for (long i = 0; i < (long)removed + added; i++)
            if (!TryReadRecord(ref left, builder, isAdded: i >= removed)) return false;
        ZoneDelta read = builder.Build();
        if (left.Length > 0 || read.SerialTo != BinaryPrimitives.ReadUInt32BigEndian(body[5..])) return false;
        delta = read;
        return true;
    }

    private static bool TryReadRecord(ref ReadOnlySpan<byte> left, ZoneDeltaBuilder builder, bool isAdded)
    {
        if (left.Length < LeastRecordOctets || left.Length < left[0] + LeastRecordOctets - 1) return false;
        ReadOnlySpan<byte> owner = left.Slice(1, left[0]);
        left = left[(1 + owner.Length)..];
        RRType type = (RRType)BinaryPrimitives.ReadUInt16BigEndian(left);
        uint ttl = BinaryPrimitives.ReadUInt32BigEndian(left[2..]);
        int octets = BinaryPrimitives.ReadUInt16BigEndian(left[6..]);
        left = left[8..];
        if (left.Length < octets || !WireName.IsValid(owner) || !Rdata.IsValid(type, left[..octets])) return false;
        if (isAdded) builder.Add(owner, type, ttl, left[..octets]);
        else builder.Remove(owner, type, left[..octets], ttl);
        left = left[octets..];
        return true;
    }

    private static Span<byte> BeginEntry(ArrayBufferWriter<byte> output, int body)
    {
        Span<byte> room = output.GetSpan(EntryFixedOctets + body)[..(EntryFixedOctets + body)];
        BinaryPrimitives.WriteInt32BigEndian(room, body);
        BinaryPrimitives.WriteInt32BigEndian(room[4..], ~body);
        return room;
    }

    private static uint EndEntry(ArrayBufferWriter<byte> output, Span<byte> room, uint crc)
    {
        uint own = CrcOf(crc, room[EntryFixedOctets..]);
        BinaryPrimitives.WriteUInt32BigEndian(room[8..], own);
        output.Advance(room.Length);
        return own;
    }

    private static long OctetsOf(RecordList records)
    {
        long octets = 0;
        foreach (RecordList.ListedRecord record in records)
            octets += LeastRecordOctets - 1 + record.Owner.Length + record.Rdata.Length;
        return octets;
    }

    private static Span<byte> WriteRecords(RecordList records, Span<byte> room)
    {
        foreach (RecordList.ListedRecord record in records)
        {
            room[0] = (byte)record.Owner.Length;
            record.Owner.CopyTo(room[1..]);
            room = room[(1 + record.Owner.Length)..];
            BinaryPrimitives.WriteUInt16BigEndian(room, (ushort)record.Type);
            BinaryPrimitives.WriteUInt32BigEndian(room[2..], record.Ttl);
            BinaryPrimitives.WriteUInt16BigEndian(room[6..], (ushort)record.Rdata.Length);
            record.Rdata.CopyTo(room[8..]);
            room = room[(8 + record.Rdata.Length)..];
        }
        return room;
    }

    private static void Write(ArrayBufferWriter<byte> output, JournalBase at)
    {
        Write(output.GetSpan(20), at);
        output.Advance(20);
    }

    private static void Write(Span<byte> room, JournalBase at)
    {
        BinaryPrimitives.WriteUInt32BigEndian(room, at.Serial);
        BinaryPrimitives.WriteUInt128BigEndian(room[4..], at.Digest);
    }

    private static void WriteUInt32(ArrayBufferWriter<byte> output, uint value)
    {
        BinaryPrimitives.WriteUInt32BigEndian(output.GetSpan(sizeof(uint)), value);
        output.Advance(sizeof(uint));
    }
}
