using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>The reasons for differences from other servers, each with a predicate.</summary>
internal static class Explanations
{
    private static readonly (string Reason, Func<PeerAnswer, bool> Holds)[] Table =
    [
        ("it ends a chain of aliases where that leaves its zone",
            answer => answer.TheirsBeginsOurs && answer.IsTheirEndOutOfZone),
        ("BIND fails where an alias leads back to itself, after the aliases",
            answer => answer.Peer == "bind" && answer.Theirs.Rcode == Rcode.ServFail && answer.TheirsBeginsOurs
                && answer.Theirs.Answer is [.., { Type: RRType.CNAME }]),
        ("our chain of aliases ends where a DNAME comes back without shortening the name",
            answer => answer.OursBeginsTheirs && answer.Ours.Answer.Any(record => record.Type == RRType.DNAME)),
        ("it writes an alias twice where a wildcard leads back to itself",
            answer => answer.Theirs.Answer.Select(record => record.ToString()).Distinct().SequenceEqual(
                answer.Ours.Answer.Select(record => record.ToString()))),
        ("NSD has no name for an asterisk without data",
            answer =>
                answer.Peer == "nsd" && answer.Theirs.Rcode == Rcode.NXDomain && answer.Ours.Rcode == Rcode.NoError
                && answer.Ours.Answer.Count == answer.Theirs.Answer.Count),
    ];

    private static readonly (string Reason, Func<byte[], Reply?, bool> Holds)[] PacketTable =
    [
        ("an opcode that is not implemented is told before the rest of the message is read",
            (packet, reply) => (packet[2] & 0x78) != 0 && reply?.Rcode == Rcode.NotImp),
        ("transfers are refused to everybody",
            (_, reply) => reply?.Rcode == Rcode.Refused && TypeOf(reply) is RRType.AXFR or RRType.IXFR),
        ("a class that is not served is refused before its records are understood",
            (_, reply) =>
                reply is { Rcode: Rcode.Refused, Question: [.., var high, var low] } && (high, low) != (0, 1)),
        ("records that mean nothing in a query are skipped, whatever they hold",
            (packet, reply) => reply is { Rcode: not Rcode.FormErr } && HasOtherRecord(packet)),
        ("octets behind the last record are ignored, where Knot and BIND answer FORMERR",
            (packet, reply) => reply is { Rcode: not Rcode.FormErr } && HasOctetsBehind(packet)),
        ("a TSIG is taken to the letter: class ANY, TTL 0, nothing behind its data",
            (packet, reply) => reply?.Rcode == Rcode.FormErr &&
                packet.AsSpan().IndexOf((ReadOnlySpan<byte>)[0, (byte)RRType.TSIG]) > 0),
        ("an unknown key is told before anything else of the query is looked at",
            (_, reply) => reply is { Rcode: Rcode.NotAuth, Tsig: not null }),
        ("TYPE0 is a type that no name has",
            (_, reply) =>
                reply is { Rcode: Rcode.NoError or Rcode.NXDomain, Question.Length: > 0 } && TypeOf(reply) == 0),
        ("BIND takes a name that a pointer leads into the header for",
            (packet, reply) => reply?.Rcode == Rcode.FormErr && HasPointerInQuestion(packet)),
        ("a chain of aliases is followed into every zone served",
            (_, reply) => reply?.Rcode == Rcode.NXDomain && reply.Answer.Any(record => record.Type == RRType.CNAME)),
    ];

    /// <summary>
    /// Whether the name of the question has a compression pointer, which could only lead into the header.
    /// </summary>
    private static bool HasPointerInQuestion(byte[] packet)
    {
        int position = MessageHeader.LengthOctets;
        while (position < packet.Length && packet[position] is > 0 and < 64) position += packet[position] + 1;
        return position < packet.Length && packet[position] >= 0xC0;
    }

    /// <summary>Whether a well-formed query has a record that is neither OPT nor TSIG.</summary>
    private static bool HasOtherRecord(byte[] packet)
    {
        if (!WellFormedQuery.Matches(packet)) return false;
        if (!MessageReader.TryOpen(packet, out MessageReader message)) return false;
        RecordReader records = message.ReadRecords();
        while (records.TryRead())
            if (records.Type is not (RRType.OPT or RRType.TSIG)) return true;
        return false;
    }

    private static RRType TypeOf(Reply reply) =>
        reply.Question.Length == 0 ? 0 : (RRType)(reply.Question[^4] << 8 | reply.Question[^3]);

    /// <summary>The reason for a difference; null if there is none.</summary>
    public static string? Find(PeerAnswer answer) => Table.FirstOrDefault(entry => entry.Holds(answer)).Reason;

    private static bool HasOctetsBehind(byte[] packet)
    {
        if (!MessageReader.TryOpen(packet, out MessageReader message) || !message.TryReadQuestion(out _)) return false;
        RecordReader records = message.ReadRecords();
        while (records.TryRead()) { }
        return !records.IsMalformed && !records.IsAtEnd;
    }

    /// <summary>The reason for a difference in code; null if there is none.</summary>
    public static string? FindForPacket(byte[] packet, Reply? reply) =>
        PacketTable.FirstOrDefault(entry => entry.Holds(packet, reply)).Reason;
}
