namespace Dns.Bench;

/// <summary>Questions about a zone of the caller's, drawn the same way every time from what is in it.</summary>
internal sealed class ZoneQuestions
{
    private const int Seed = 20_221;

    private readonly List<(string Name, RRType Type)> _data = [];
    private readonly List<string> _cuts = [];
    private readonly string _suffix;

    /// <summary>Reads a zone; keeps its authoritative addresses, those of the apex, and its zone cuts.</summary>
    /// <param name="apex">The name of the zone.</param>
    /// <param name="file">The master file.</param>
    internal ZoneQuestions(string apex, string file)
    {
        Zone zone = BenchZone.LoadFile(apex, file);
        _suffix = apex == "." ? "." : "." + apex;
        foreach (ZoneNode node in zone)
        {
            string name = DomainName.FromOctets(node.Name).ToString();
            if (node.IsCut) _cuts.Add(name);
            else if (!node.IsOccluded)
                foreach (RRset rrset in node)
                    if (rrset.Type is RRType.A or RRType.AAAA or RRType.SOA or RRType.NS or RRType.DNSKEY)
                        _data.Add((name, rrset.Type));
        }
    }

    /// <summary>Draws questions.</summary>
    /// <param name="mix">"positive", "referral", "nxdomain", or "mixed" of 70, 20 and 10 per cent.</param>
    /// <param name="count">How many to draw.</param>
    internal Question[] Draw(string mix, int count)
    {
        Random random = new(Seed);
        Func<Question> next = mix switch
        {
            "positive" => () => Positive(random),
            "referral" => () => Referral(random),
            "nxdomain" => () => NameError(random),
            "mixed" => () =>
                random.Next(10) switch { < 7 => Positive(random), < 9 => Referral(random), _ => NameError(random) },
            _ =>
                throw new UsageException(
                    $"no mix \"{mix}\" of a zone of your own; there is positive, referral, nxdomain, mixed"),
        };
        Question[] questions = new Question[count];
        for (int i = 0; i < count; i++) questions[i] = next();
        return questions;
    }

    private Question Positive(Random random)
    {
        (string name, RRType type) = _data[random.Next(_data.Count)];
        return new Question(name, type, Expectation.Positive);
    }

    private Question Referral(Random random)
    {
        if (_cuts.Count == 0) throw new UsageException("the zone has no zone cut to refer to");
        return new Question("www." + _cuts[random.Next(_cuts.Count)], RRType.A, Expectation.Referral);
    }

    private Question NameError(Random random) =>
        new($"nx{random.NextInt64():x}{_suffix}", RRType.A, Expectation.NameError);
}
