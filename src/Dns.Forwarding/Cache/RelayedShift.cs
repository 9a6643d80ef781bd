namespace Dns.Forwarding.Cache;

/// <summary>
/// Moves records behind a longer question: the NXDOMAIN of a name serves names below it (RFC 8020), once every
/// compression pointer grows by the additional octets.
/// </summary>
internal static class RelayedShift
{
    /// <summary>Moves all pointers, which are in owners and SOA RDATA; other types of a denial have none.</summary>
    /// <param name="messageOffset">Their offset behind the shorter question.</param>
    /// <param name="octets">The additional length of the question.</param>
    /// <returns>False if a pointer would overflow or the records are not an NXDOMAIN; they are then invalid.</returns>
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
        // An overflow of the target clears the two upper bits, which mark the pointer.
        int target = BinaryPrimitives.ReadUInt16BigEndian(records[pointer..]) + octets;
        if (target > ushort.MaxValue) return false;
        BinaryPrimitives.WriteUInt16BigEndian(records[pointer..], (ushort)target);
        return true;
    }
}
