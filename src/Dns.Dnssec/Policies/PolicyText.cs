namespace Dns.Dnssec.Policies;

/// <summary>A policy in the state of a zone's keys: the settings may lack it while the zone becomes unsigned.</summary>
/// <remarks>
/// The name after <c>=</c>, algorithm, bits of RSA, keys, denial, <c>+optout</c> or <c>-optout</c>, then in seconds
/// signature lifetime, refresh, lifetimes of ZSK and KSK, propagation delay, retire safety, DNSKEY TTL, DS TTL of the
/// parent, propagation delay of the parent; <c>+zonemd</c> or <c>-zonemd</c>, serial, resolver, <c>+offline</c> or
/// <c>-offline</c>. <c>?</c> is an unset value.
/// </remarks>
internal static class PolicyText
{
    private const int Count = 19;

    internal static string[] Words(DnssecPolicy policy) =>
    [
        "=" + Uri.EscapeDataString(policy.Name),
        Number((byte)policy.Algorithm), Number(policy.RsaBits), Word(policy.Keys), Word(policy.Denial),
        policy.OptOut ? "+optout" : "-optout",
        Seconds(policy.SignatureLifetime), Seconds(policy.Refresh), Seconds(policy.ZskLifetime),
        Seconds(policy.KskLifetime),
        Seconds(policy.PropagationDelay), Seconds(policy.RetireSafety), Seconds(policy.DnskeyTtl),
        Seconds(policy.ParentDsTtl),
        Seconds(policy.ParentPropagationDelay), policy.Zonemd ? "+zonemd" : "-zonemd", Word(policy.Serial),
        policy.ParentResolver?.ToString() ?? "?", policy.OfflineKsk ? "+offline" : "-offline",
    ];

    internal static bool TryRead(ReadOnlySpan<string> words, [NotNullWhen(true)] out DnssecPolicy? policy)
    {
        policy = null;
        if (words.Length != Count || !words[0].StartsWith('=')) return false;
        TimeSpan?[] times = new TimeSpan?[9];
        for (int i = 0; i < times.Length; i++)
            if (!TryReadSeconds(words[6 + i], out times[i])) return false;
        PeerAddress? resolver = words[17] == "?" ? null : PeerAddress.Parse(words[17]);
        if (resolver is null && words[17] != "?") return false;
        if (!byte.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out byte algorithm)
            || !int.TryParse(words[2], NumberStyles.None, CultureInfo.InvariantCulture, out int bits)
            || !TryReadWord(words[3], out KeyScheme keys) || !TryReadWord(words[4], out DenialMethod denial)
            || !TryReadWord(words[16], out SerialPolicy serial)) return false;
        DnssecPolicy usual = DnssecPolicy.Default;
        policy = new DnssecPolicy(Uri.UnescapeDataString(words[0][1..]))
        {
            Algorithm = (DnssecAlgorithm)algorithm,
            RsaBits = bits,
            Keys = keys,
            Denial = denial,
            OptOut = words[5] == "+optout",
            SignatureLifetime = times[0] ?? usual.SignatureLifetime,
            Refresh = times[1] ?? usual.Refresh,
            ZskLifetime = times[2] ?? usual.ZskLifetime,
            KskLifetime = times[3] ?? usual.KskLifetime,
            PropagationDelay = times[4] ?? usual.PropagationDelay,
            RetireSafety = times[5] ?? usual.RetireSafety,
            DnskeyTtl = times[6],
            ParentDsTtl = times[7] ?? usual.ParentDsTtl,
            ParentPropagationDelay = times[8],
            Zonemd = words[15] == "+zonemd",
            Serial = serial,
            ParentResolver = resolver,
            OfflineKsk = words[18] == "+offline",
        };
        return true;
    }

    private static string Word<T>(T value) where T : struct, Enum => value.ToString().ToLowerInvariant();

    private static bool TryReadWord<T>(string word, out T value) where T : struct, Enum =>
        Enum.TryParse(word, ignoreCase: true, out value) && Enum.IsDefined(value) && char.IsAsciiLetter(word[0]);

    private static string Number(int number) => number.ToString(CultureInfo.InvariantCulture);

    internal static string Seconds(TimeSpan? time) =>
        time is { } there ? Math.Ceiling(there.TotalSeconds).ToString(CultureInfo.InvariantCulture) : "?";

    internal static bool TryReadSeconds(string word, out TimeSpan? time)
    {
        time = null;
        if (word == "?") return true;
        bool isNumber = uint.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out uint seconds);
        if (isNumber) time = TimeSpan.FromSeconds(seconds);
        return isNumber;
    }
}
