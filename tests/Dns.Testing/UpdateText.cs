using System.Text;

namespace Dns.Testing;

/// <summary>
/// UPDATE messages from lines: <c>yxdomain NAME</c>, <c>nxdomain NAME</c>, <c>yxrrset NAME TYPE [RDATA]</c>, <c>nxrrset
/// NAME TYPE</c>, <c>add NAME TTL TYPE RDATA</c>, <c>delete NAME [TYPE [RDATA]]</c>. Names are relative to the zone
/// unless they end with a dot; <c>@</c> is the zone.
/// </summary>
public static class UpdateText
{
    /// <summary>An UPDATE message, its names compressed.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="lines">The prerequisites, then the updates.</param>
    public static byte[] Message(string zone, params string[] lines) => Message(zone, 0x1234, lines);

    /// <summary>The same with an ID.</summary>
    public static byte[] Message(string zone, ushort id, params string[] lines)
    {
        byte[] room = new byte[ushort.MaxValue];
        MessageWriter writer = new(room, new MessageNames(4096));
        writer.WriteHeader(id, (int)Opcode.Update << 11);
        DomainName apex = DomainName.Parse(zone);
        writer.TryWriteQuestion(apex.Octets, RRType.SOA, RRClass.IN);
        foreach (string line in lines) Write(ref writer, apex, line);
        if (writer.HasOmitted) throw new ArgumentException("The message is too long.");
        return room[..writer.Finish()];
    }

    /// <summary>The message signed with a key.</summary>
    public static byte[] Signed(byte[] message, TsigKey key, long now, out TsigChain chain)
    {
        byte[] room = new byte[message.Length + key.MaxRecordOctets];
        message.CopyTo(room, 0);
        int octets = message.Length;
        chain = TsigChain.Request(key, room, ref octets, now);
        return room[..octets];
    }

    private static void Write(ref MessageWriter writer, DomainName apex, string line)
    {
        string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        DomainName owner =
            words[1] == "@" ? apex : DomainName.Parse(words[1].EndsWith('.') ? words[1] : $"{words[1]}.{apex}");
        int typeAt = words[0] == "add" ? 3 : 2;
        RRType type = RRType.ANY;
        if (words.Length > typeAt && !RRTypeText.TryParse(Encoding.ASCII.GetBytes(words[typeAt]), out type))
            throw new FormatException(line);
        bool hasRdata = words.Length > typeAt + 1;
        byte[] rdata = hasRdata ? Rdata.Parse(type, string.Join(' ', words[(typeAt + 1)..]), apex) : [];
        (MessageSection section, RRClass rrClass) = words[0] switch
        {
            "yxdomain" => (MessageSection.Answer, RRClass.ANY),
            "yxrrset" => (MessageSection.Answer, hasRdata ? RRClass.IN : RRClass.ANY),
            "nxdomain" or "nxrrset" => (MessageSection.Answer, RRClass.NONE),
            "add" => (MessageSection.Authority, RRClass.IN),
            "delete" => (MessageSection.Authority, hasRdata ? RRClass.NONE : RRClass.ANY),
            _ => throw new FormatException(line),
        };
        uint ttl = words[0] == "add" ? uint.Parse(words[2]) : 0;
        if (hasRdata) writer.TryWrite(section, owner.Octets, type, rrClass, ttl, rdata);
        else
        {
            writer.Begin(section, owner.Octets, type, rrClass, ttl);
            writer.TryEnd();
        }
    }
}
