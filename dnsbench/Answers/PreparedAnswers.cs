namespace Dns.Bench;

/// <summary>
/// Responders that use pre-encoded parts, and others over the same data that cannot: the encoder instead of the
/// pre-encoded SOA or of a cached answer, and a lookup of each host in another zone instead of a link.
/// </summary>
internal sealed class PreparedAnswers
{
    private const string Hosts = "hosts.test";
    private readonly int _names;
    private readonly Responder _ready;
    private readonly Responder _encoding;
    private readonly Responder _lookingUp;

    internal PreparedAnswers(int names)
    {
        _names = names;
        Zone hosts = BenchZone.Small(Hosts, """
            $TTL 3600
            @ SOA ns1 hostmaster 1 3600 600 86400 300
            @ NS ns1
            ns1 A 192.0.2.1
            ns1 AAAA 2001:db8::1
            ns2 A 192.0.2.2
            mail A 192.0.2.3

            """);
        Zone linked = BenchZone.Load(names), unlinked = LoadUnlinked(names);
        _ready = Make(linked, hosts, useCachedOctets: true);
        _encoding = Make(linked, hosts, useCachedOctets: false);
        _lookingUp = Make(unlinked, hosts, useCachedOctets: false);
    }

    /// <summary>The kinds of answers, each with a pre-encoded part.</summary>
    internal static string[] Kinds { get; } = ["nxdomain", "nodata", "referral", "ns", "mx", "cname", "ns-links",
        "mx-links"];

    /// <summary>The same questions to both: the responder with the pre-encoded part, and the one without.</summary>
    internal (AnswerLoop Prepared, AnswerLoop General) Loops(string kind, int queries)
    {
        bool isLinks = kind.EndsWith("-links", StringComparison.Ordinal);
        Question[] questions = kind switch
        {
            "ns" or "ns-links" =>
                [.. Enumerable.Repeat(new Question(ZoneText.Apex, RRType.NS, Expectation.Positive), queries)],
            "mx-links" => QueryMix.Draw("mx", _names, queries),
            _ => QueryMix.Draw(kind, _names, queries),
        };
        return (
            new(isLinks ? _encoding : _ready, questions, edns: false),
            new(isLinks ? _lookingUp : _encoding, questions, edns: false));
    }

    private static Responder Make(Zone zone, Zone hosts, bool useCachedOctets)
    {
        ZoneSlot[] slots = [new(DomainName.FromOctets(zone.Apex)), new(DomainName.FromOctets(hosts.Apex))];
        slots[0].Publish(zone);
        slots[1].Publish(hosts);
        PublishedZones published = new();
        published.Publish(ZoneSet.Create(slots));
        return new Responder(published, new ResponderOptions { UseCachedOctets = useCachedOctets });
    }

    /// <summary>The zone of all measurements, with the hosts of its NS and MX in another zone.</summary>
    private static Zone LoadUnlinked(int names)
    {
        using TemporaryFolder folder = new();
        string linked = folder.File("linked.zone"), unlinked = folder.File("unlinked.zone");
        ZoneText.Write(linked, names);
        File.WriteAllLines(unlinked, File.ReadLines(linked).Select(line =>
            line.StartsWith("@ NS ", StringComparison.Ordinal) || line.Contains(" MX ", StringComparison.Ordinal)
                ? $"{line}.{Hosts}." : line));
        return BenchZone.LoadFile(ZoneText.Apex, unlinked);
    }
}
