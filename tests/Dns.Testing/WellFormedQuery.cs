using System.Buffers.Binary;

namespace Dns.Testing;

/// <summary>
/// Whether a packet can be read as a query, judged slowly and plainly; the oracle for the server's own reading.
/// </summary>
public static class WellFormedQuery
{
    /// <summary>
    /// One uncompressed question, whole records of known label types behind it, at most one good OPT in the additional
    /// section, at most one good TSIG as the last record; octets after it do not matter.
    /// </summary>
    public static bool Matches(byte[] packet)
    {
        int position = MessageHeader.LengthOctets;
        if (UInt16(packet, 4) != 1 || !TryName(packet, ref position, mayPoint: false) || position + 4 > packet.Length)
            return false;
        position += 4;
        int before = UInt16(packet, 6) + UInt16(packet, 8), total = before + UInt16(packet, 10);
        bool hasOpt = false;
        for (int i = 0; i < total; i++)
        {
            int start = position;
            if (!TryName(packet, ref position, mayPoint: true) || position + 10 > packet.Length) return false;
            int type = UInt16(packet, position), length = UInt16(packet, position + 8), rdata = position + 10;
            if (rdata + length > packet.Length) return false;
            if (type == (int)RRType.OPT)
            {
                if (i < before || hasOpt || packet[start] != 0 || !AreOptions(packet.AsSpan(rdata, length)))
                    return false;
                hasOpt = true;
            }
            if (type == (int)RRType.TSIG && (i < before || i != total - 1 || !IsTsig(packet, start, position, length)))
                return false;
            position = rdata + length;
        }
        return true;
    }

    private static bool TryName(byte[] packet, ref int position, bool mayPoint)
    {
        for (int length = 1; position < packet.Length; length += packet[position] + 1, position += packet[position] + 1)
        {
            if (packet[position] == 0)
            {
                position++;
                return length <= WireName.MaxOctets || mayPoint;
            }
            if (packet[position] >= 0xC0)
            {
                int pointer = position;
                position += 2;
                return mayPoint && position <= packet.Length && (UInt16(packet, pointer) & 0x3FFF) < pointer;
            }
            if (packet[position] > 63) return false;
        }
        return false;
    }

    private static bool AreOptions(ReadOnlySpan<byte> rdata)
    {
        while (rdata.Length >= 4)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(rdata[2..]);
            if (4 + length > rdata.Length) return false;
            rdata = rdata[(4 + length)..];
        }
        return rdata.IsEmpty;
    }

    private static bool IsTsig(byte[] packet, int owner, int fixedPart, int length)
    {
        if (!WireName.TryExpand(packet, ref owner, new byte[WireName.MaxOctets], out _)) return false;
        if (UInt16(packet, fixedPart + 2) != (int)RRClass.ANY ||
            UInt16(packet, fixedPart + 4) + UInt16(packet, fixedPart + 6) != 0) return false;
        byte[] rdata = packet[(fixedPart + 10)..(fixedPart + 10 + length)];
        int position = 0;
        if (!TryName(rdata, ref position, mayPoint: false) || position + 10 > length) return false;
        position += 10 + UInt16(rdata, position + 8);
        return position + 6 <= length && position + 6 + UInt16(rdata, position + 4) == length;
    }

    private static int UInt16(byte[] packet, int position) => packet[position] << 8 | packet[position + 1];
}
