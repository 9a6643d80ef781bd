using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>
/// Moves records behind a longer question: what was written behind the question about a name serves the names below it (RFC 8020),
/// once every pointer leads as many octets further as the question is longer.
/// </summary>
internal static class RelayedShift
{
    private const int FixedOctets = 10;

    /// <summary>Moves all pointers, which stand in owners and in the names of SOA; the other types of a denial have none.</summary>
    /// <param name="records">The records.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="octets">How much longer the question is.</param>
    /// <returns>False if a pointer would lead too far, or the records are not those of a name error; they are spoilt then.</returns>
    public static bool TryShift(Span<byte> records, int count, int octets)
    {
        int position = 0;
        for (; count > 0; count--)
        {
            if (!TryShiftName(records, ref position, octets) || records.Length - position < FixedOctets) return false;
            RRType type = (RRType)BinaryPrimitives.ReadUInt16BigEndian(records[position..]);
            int length = BinaryPrimitives.ReadUInt16BigEndian(records[(position + 8)..]);
            position += FixedOctets;
            int end = position + length;
            if (end > records.Length || (Rdata.TryGetCompressibleNames(type, out _, out _) && type != RRType.SOA)) return false;
            if (type == RRType.SOA && !(TryShiftName(records, ref position, octets) && TryShiftName(records, ref position, octets)))
                return false;
            position = end;
        }
        return position == records.Length;
    }

    private static bool TryShiftName(Span<byte> records, ref int position, int octets)
    {
        while ((uint)position < (uint)records.Length)
        {
            int label = records[position];
            if (label >= 0xC0)
            {
                if (position + 2 > records.Length) return false;
                int target = BinaryPrimitives.ReadUInt16BigEndian(records[position..]) + octets;
                // The two upper bits are those of the pointer: a target that overflows them changes them to 0.
                if (target > ushort.MaxValue) return false;
                BinaryPrimitives.WriteUInt16BigEndian(records[position..], (ushort)target);
                position += 2;
                return true;
            }
            position += label + 1;
            if (label == 0) return true;
        }
        return false;
    }
}
