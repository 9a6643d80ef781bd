using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>Our reply to a question beside another server's.</summary>
internal sealed record PeerAnswer(string Peer, Reply Ours, Reply Theirs)
{
    /// <summary>The differences in RCODE, AA, TC, the answer, and its SOA or name servers.</summary>
    public string? Difference =>
        Ours.Header != Theirs.Header ? $"{Ours.Header} and {Theirs.Header}"
        : !SameRecords(Ours.Answer, Theirs.Answer) ? "the answer"
        : !SameRecords(Authority(Ours), Authority(Theirs)) ? "the authority"
        : null;

    /// <summary>The queried type.</summary>
    public RRType Type => (RRType)(Ours.Question[^4] << 8 | Ours.Question[^3]);

    /// <summary>Whether our answer begins with all of theirs.</summary>
    public bool TheirsBeginsOurs =>
        Theirs.Answer.Count <= Ours.Answer.Count &&
            SameRecords(Theirs.Answer, [.. Ours.Answer.Take(Theirs.Answer.Count)]);

    /// <summary>Whether their answer begins with all of ours.</summary>
    public bool OursBeginsTheirs =>
        Ours.Answer.Count <= Theirs.Answer.Count &&
            SameRecords(Ours.Answer, [.. Theirs.Answer.Take(Ours.Answer.Count)]);

    /// <summary>Whether their answer ends in an alias that leads to another zone than its own.</summary>
    public bool IsTheirEndOutOfZone =>
        Theirs.Answer is [.., { Type: RRType.CNAME } last] && ZoneOf(last.Owner.ToString()) != ZoneOf(last.RdataText);

    private static string ZoneOf(string name) =>
        DifferentialTests.Zones.Where(zone => $".{name}".EndsWith($".{zone}.", StringComparison.OrdinalIgnoreCase))
            .MaxBy(zone => zone.Length) ?? "";

    /// <summary>
    /// What is wrong with the addresses beside a referral: one that all others give is missing, or one is there that
    /// nobody else gives. Null if nothing is, or if it is no referral.
    /// </summary>
    public static string? GlueFault(Reply ours, IReadOnlyList<Reply> theirs)
    {
        if (ours.IsTruncated || ours.Answer.Count > 0 || !ours.Authority.Any(record => record.Type == RRType.NS))
            return null;
        HashSet<string> given = [.. ours.Additional.Select(Line)];
        List<HashSet<string>> others = [.. theirs.Select(reply => reply.Additional.Select(Line).ToHashSet())];
        string? missing =
            others[0].FirstOrDefault(line => others.All(other => other.Contains(line)) && !given.Contains(line));
        if (missing is not null) return $"without {missing}, which all others give";
        string? surplus = given.FirstOrDefault(line => !others.Any(other => other.Contains(line)));
        return surplus is null ? null : $"with {surplus}, which nobody else gives";
    }

    /// <summary>What the authority section tells; name servers beside an answer are a courtesy.</summary>
    private static List<MessageRecord> Authority(Reply reply) =>
        [.. reply.Authority
            .Where(record => record.Type == RRType.SOA || record.Type == RRType.NS && reply.Answer.Count == 0)];

    private static bool SameRecords(IReadOnlyList<MessageRecord> left, IReadOnlyList<MessageRecord> right) =>
        left.Select(Line).Order(StringComparer.Ordinal).SequenceEqual(right.Select(Line).Order(StringComparer.Ordinal));

    private static string Line(MessageRecord record) => record.ToString().ToLowerInvariant();
}
