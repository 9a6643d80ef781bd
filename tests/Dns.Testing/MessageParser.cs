using System.Buffers.Binary;

namespace Dns.Testing;

/// <summary>
/// Reads a response as strictly as it can be read: every octet has to belong to something, every pointer has to lead
/// back to the start of a label that was written before it, every RDATA has to be right for its type.
/// </summary>
/// <remarks>Walks names itself, so that it shares only the tables of types with the code under test.</remarks>
/// <param name="message">The message.</param>
/// <param name="isForeign">Whether another server wrote it, which may point to whatever octets spell the name.</param>
internal sealed class MessageParser(byte[] message, bool isForeign)
{
    private readonly HashSet<int> _labels = [];
    private int _position = MessageHeader.LengthOctets;

    internal void ReadQuestion(out byte[] octets)
    {
        int start = _position;
        ReadName();
        Need(_position + 4 <= message.Length, "a question that is cut off");
        _position += 4;
        octets = message[start.._position];
    }

    internal MessageRecord ReadRecord()
    {
        DomainName owner = DomainName.FromOctets(ReadName());
        Need(_position + 10 <= message.Length, "a record that is cut off");
        ReadOnlySpan<byte> fixedPart = message.AsSpan(_position, 10);
        RRType type = (RRType)BinaryPrimitives.ReadUInt16BigEndian(fixedPart);
        RRClass rrClass = (RRClass)BinaryPrimitives.ReadUInt16BigEndian(fixedPart[2..]);
        uint ttl = BinaryPrimitives.ReadUInt32BigEndian(fixedPart[4..]);
        int length = BinaryPrimitives.ReadUInt16BigEndian(fixedPart[8..]);
        _position += 10;
        Need(_position + length <= message.Length, "RDATA that is cut off");
        byte[] rdata = ReadRdata(type, _position + length);
        if (type is not (RRType.OPT or RRType.TSIG))
            Need(Rdata.IsValid(type, rdata), $"RDATA that is wrong for {RRTypeText.Format(type)}");
        return new MessageRecord(owner, type, rrClass, ttl, rdata);
    }

    internal void End() => Need(_position == message.Length, "octets behind the last record");

    /// <summary>RFC 3597 §4: names may be compressed in the types of RFC 1035 alone.</summary>
    private byte[] ReadRdata(RRType type, int end)
    {
        (int prefix, int names) = type switch
        {
            RRType.NS or RRType.CNAME or RRType.PTR or RRType.MB or RRType.MD or RRType.MF or RRType.MG or RRType.MR =>
                (0, 1),
            RRType.MX => (2, 1),
            RRType.SOA or RRType.MINFO => (0, 2),
            _ => (0, 0),
        };
        List<byte> rdata = [.. message[_position..(_position + prefix)]];
        _position += prefix;
        for (int i = 0; i < names; i++) rdata.AddRange(ReadName());
        Need(_position <= end, "a name that runs past its RDATA");
        rdata.AddRange(message[_position..end]);
        _position = end;
        return [.. rdata];
    }

    private byte[] ReadName()
    {
        List<byte> name = [];
        List<int> starts = [];
        int cursor = _position, end = -1;
        while (true)
        {
            Need(cursor < message.Length, "a name that is cut off");
            int label = message[cursor];
            if (label >= 0xC0)
            {
                Need(cursor + 1 < message.Length, "a pointer that is cut off");
                int target = (label & 0x3F) << 8 | message[cursor + 1];
                Need(target < cursor, $"a pointer at {cursor} that leads forward to {target}");
                Need(isForeign || _labels.Contains(target),
                    $"a pointer at {cursor} to {target}, where no earlier name has a label");
                if (end < 0) end = cursor + 2;
                cursor = target;
                continue;
            }
            Need(label <= 63, "a label of an unknown kind");
            Need(cursor + label < message.Length, "a label that is cut off");
            if (end < 0 && label > 0) starts.Add(cursor);
            name.AddRange(message.AsSpan(cursor, label + 1));
            Need(name.Count <= 255, "a name of more than 255 octets");
            cursor += label + 1;
            if (label == 0) break;
        }
        _labels.UnionWith(starts);
        _position = end < 0 ? cursor : end;
        return [.. name];
    }

    private void Need(bool isGood, string what)
    {
        if (!isGood) throw new InvalidDataException($"{what}, in {Convert.ToHexString(message)}");
    }
}
