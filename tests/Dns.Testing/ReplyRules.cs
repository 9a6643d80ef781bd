namespace Dns.Testing;

/// <summary>Invariants of every reply, for any query.</summary>
public static class ReplyRules
{
    private const int HeaderOctets = MessageHeader.LengthOctets;

    /// <summary>
    /// The maximum octets of a datagram for a query: 512, or the size in its first OPT if that is more.
    /// </summary>
    public static int PayloadOf(ReadOnlySpan<byte> query)
    {
        if (!MessageReader.TryOpen(query, out MessageReader message) || message.Count(MessageSection.Question) != 1)
            return 512;
        RecordReader records = message.ReadRecords();
        while (records.TryRead())
            if (records.Type == RRType.OPT) return Math.Max(512, (int)records.Class);
        return 512;
    }

    /// <summary>Checks a reply against its query.</summary>
    /// <exception cref="InvalidDataException">A rule is broken; the message says which.</exception>
    public static void Check(ReadOnlySpan<byte> query, Reply reply, int limitOctets)
    {
        byte[] octets = reply.Octets;
        Need(octets.Length <= limitOctets, $"{octets.Length} octets where {limitOctets} are allowed");
        Need(MessageHeader.Id(octets) == MessageHeader.Id(query), "another ID");
        Need(MessageHeader.OpcodeOf(reply.Flags) == MessageHeader.OpcodeOf(MessageHeader.Flags(query)),
            "another opcode");
        Need((reply.Flags & 0x00E0) == 0, "RA, Z or AD is set");
        int question = reply.Question.Length;
        Need(octets.AsSpan(HeaderOctets, question).SequenceEqual(query.Slice(HeaderOctets, question)),
            "another question");
        bool isQuery = MessageHeader.OpcodeOf(reply.Flags) == Opcode.Query && MessageHeader.Count(query, 0) != 0;
        Need(question > 0 || octets.Length == HeaderOctets || !isQuery, "records without a question");
        if (reply.Answer.Count + reply.Authority.Count + reply.Additional.Count < 2) return;
        HashSet<MessageRecord> seen = new(new SameRecord());
        foreach (MessageRecord record in reply.Answer.Concat(reply.Authority).Concat(reply.Additional))
            Need(seen.Add(record), $"a record twice: {record}");
    }

    private sealed class SameRecord : IEqualityComparer<MessageRecord>
    {
        public bool Equals(MessageRecord? left, MessageRecord? right) =>
            left!.Type == right!.Type && left.Owner.Equals(right.Owner) &&
                left.Rdata.AsSpan().SequenceEqual(right.Rdata);

        public int GetHashCode(MessageRecord record) =>
            HashCode.Combine(record.Type, record.Owner, record.Rdata.Length);
    }

    private static void Need(bool isGood, string what)
    {
        if (!isGood) throw new InvalidDataException(what);
    }
}
