using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>
/// Moves records behind a longer question: what was written behind the question about a name serves the names below it (RFC 8020),
/// once every pointer leads as many octets further as the question is longer.
/// </summary>
internal static class RelayedShift
{
    /// <summary>Moves all pointers, which stand in owners and in the names of SOA; the other types of a denial have none.</summary>
    /// <param name="records">The records.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="messageOffset">Where they stand behind the shorter question.</param>
    /// <param name="octets">How much longer the question is.</param>
    /// <returns>False if a pointer would lead too far, or the records are not those of a name error; they are spoilt then.</returns>
    public static bool TryShift(Span<byte> records, int count, int messageOffset, int octets)
    {
        RecordReader reader = RecordReader.OfDetached(records, count, messageOffset);
        while (reader.TryRead())
        {
            int owner = reader.OwnerOffset, name = reader.RdataOffset;
            if (!TryShiftName(records, ref owner, messageOffset, octets)) return false;
            if (!Rdata.TryGetCompressibleNames(reader.Type, out _, out int names)) continue;
            if (reader.Type != RRType.SOA) return false;
            for (; names > 0; names--)
                if (!TryShiftName(records, ref name, messageOffset, octets)) return false;
        }
        return reader.IsAtEnd;
    }

    private static bool TryShiftName(Span<byte> records, ref int position, int messageOffset, int octets)
    {
        int pointer = WireName.FindPointer(records, position);
        if (!WireName.TrySkip(records, ref position, messageOffset)) return false;
        if (pointer < 0) return true;
        // The two upper bits are those of the pointer: a target that overflows them changes them to 0.
        int target = BinaryPrimitives.ReadUInt16BigEndian(records[pointer..]) + octets;
        if (target > ushort.MaxValue) return false;
        BinaryPrimitives.WriteUInt16BigEndian(records[pointer..], (ushort)target);
        return true;
    }
}
