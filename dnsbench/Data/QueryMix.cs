namespace Dns.Bench;

/// <summary>Questions about the zone of <see cref="ZoneText"/>, drawn the same way every time.</summary>
internal static class QueryMix
{
    private const int Seed = 20_221;

    // Every tenth name is a host with MX.
    private const int MailEvery = 10;

    /// <summary>The names of the mixes.</summary>
    internal static string[] Names { get; } =
        ["positive", "referral", "nxdomain", "nodata", "cname", "mx", "mixed", "skewed"];

    /// <summary>Draws questions.</summary>
    /// <param name="mix">One of <see cref="Names"/>; "mixed" is 70 positive, 20 referral, 10 NXDOMAIN.</param>
    /// <param name="zoneNames">Names of the zone.</param>
    /// <param name="count">How many to draw.</param>
    internal static Question[] Draw(string mix, int zoneNames, int count)
    {
        Random random = new(Seed);
        Func<Question> next = mix switch
        {
            "positive" => () => Positive(random.Next(zoneNames), RRType.A),
            "referral" => () => Referral(random.Next(zoneNames)),
            "nxdomain" => () => NameError(random),
            "nodata" => () => new Question(Host(random.Next(zoneNames)), RRType.SRV, Expectation.NoData),
            "cname" => () => new Question(Alias(random.Next(zoneNames)), RRType.A, Expectation.Positive),
            "mixed" => () => Mixed(random, zoneNames),
            "skewed" => () => Skewed(random, zoneNames),
            "mx" => () =>
                new Question(Owner(random.Next(zoneNames / MailEvery) * MailEvery), RRType.MX, Expectation.Positive),
            _ => throw new UsageException($"no mix \"{mix}\"; there is {string.Join(", ", Names)}"),
        };
        Question[] questions = new Question[count];
        for (int i = 0; i < count; i++) questions[i] = next();
        return questions;
    }

    private static Question Mixed(Random random, int zoneNames) => random.Next(10) switch
    {
        < 7 => Positive(random.Next(zoneNames), RRType.A),
        < 9 => Referral(random.Next(zoneNames)),
        _ => NameError(random),
    };

    /// <summary>
    /// Few names asked for often, AAAA nearly as often as A, some aliases, a few per cent of names that are
    /// not there.
    /// </summary>
    private static Question Skewed(Random random, int zoneNames)
    {
        // The inverse of a distribution in which the n-th name comes about 1/n as often as the first.
        int number = (int)Math.Pow(zoneNames, random.NextDouble()) - 1;
        return random.Next(100) switch
        {
            < 50 => Positive(number, RRType.A),
            < 80 => Positive(number & ~1, RRType.AAAA),
            < 85 => new Question(Alias(number), RRType.A, Expectation.Positive),
            < 90 => new Question(Host(number), RRType.SRV, Expectation.NoData),
            < 95 => Referral(number),
            _ => NameError(random),
        };
    }

    private static Question Positive(int number, RRType type)
    {
        int step = type == RRType.AAAA ? 2 : 1;
        while (ZoneText.KindOf(number) != OwnerKind.Host) number = number >= step ? number - step : number + step;
        return new Question(Owner(number), type, Expectation.Positive);
    }

    private static Question Referral(int number) =>
        new($"www.{Owner(Nearest(number, OwnerKind.Cut))}", RRType.A, Expectation.Referral);

    private static Question NameError(Random random) =>
        new($"nx{random.NextInt64():x}.{ZoneText.Apex}", RRType.A, Expectation.NameError);

    private static string Host(int number) => Owner(Nearest(number, OwnerKind.Host));

    private static string Alias(int number) => Owner(Nearest(number, OwnerKind.Alias));

    private static string Owner(int number) => $"{ZoneText.Label(number)}.{ZoneText.Apex}";

    /// <summary>The nearest name of a kind at or below a number, else the first of that kind.</summary>
    private static int Nearest(int number, OwnerKind kind)
    {
        int found = number;
        while (found >= 0 && ZoneText.KindOf(found) != kind) found--;
        if (found >= 0) return found;
        found = 0;
        while (ZoneText.KindOf(found) != kind) found++;
        return found;
    }
}
