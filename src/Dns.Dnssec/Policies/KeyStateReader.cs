namespace Dns.Dnssec.Policies;

/// <summary>Reads the lines of <see cref="KeyStateText"/> in sequence.</summary>
internal sealed class KeyStateReader
{
    private const int KeyWords = 11;

    private readonly List<KeyRecord> _keys = [];
    private readonly List<CachedSet> _keySets = [], _signerSets = [], _dsSets = [];
    private ZoneKeys _rest = ZoneKeys.Empty;

    internal ZoneKeys Keys =>
        _rest with { Keys = _keys, KeySets = _keySets, SignerSets = _signerSets, DsSets = _dsSets };

    internal bool TryRead(string[] words) => words switch
    {
        ["key", ..] => TryReadKey(words),
        ["dnskey", ..] => TryReadSet(words, _keySets),
        ["rrsig", ..] => TryReadSet(words, _signerSets),
        ["ds", ..] => TryReadSet(words, _dsSets),
        ["wanted", var ids] => Take(KeyIds.TryParse(ids, out KeyIds wanted), _rest with { WantedDs = wanted }),
        ["seen", var ids, var seconds] => Take(
            (KeyIds.TryParse(ids, out KeyIds seen) | ids == "?")
                & PolicyText.TryReadSeconds(seconds, out TimeSpan? ttl),
            _rest with { SeenDs = ids == "?" ? null : seen, DsTtl = ttl }),
        ["cds", var ids, var delete, var leaving] => Take(KeyIds.TryParse(ids, out KeyIds cds), _rest with
        {
            ServedCds = cds, ServedCdsDelete = delete == "+delete", IsLeaving = leaving == "+leaving",
        }),
        ["rollover", var ksk, var zsk, var to, var from] => Take(
            TryReadAlgorithm(to, out DnssecAlgorithm? wanted) & TryReadAlgorithm(from, out DnssecAlgorithm? policy),
            _rest with
            {
                WantsKsk = ksk == "+ksk", WantsZsk = zsk == "+zsk", WantedAlgorithm = wanted, PolicyAlgorithm = policy,
            }),
        ["policy", .. var rest] =>
            Take(PolicyText.TryRead(rest, out DnssecPolicy? policy), _rest with { Policy = policy }),
        ["elsewhere"] => Take(true, _rest with { IsElsewhere = true }),
        ["slot", var time] => Take(TryReadTime(time, out DateTimeOffset? slot), _rest with { Slot = slot }),
        ["serial", var number] => Take(
            uint.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out uint serial),
            _rest with { HighestSerial = serial }),
        _ => false,
    };

    private bool Take(bool isGood, ZoneKeys next)
    {
        if (isGood) _rest = next;
        return isGood;
    }

    private bool TryReadKey(string[] words)
    {
        if (words.Length != KeyWords || !KeyId.TryParse(words[1], out KeyId id) ||
            !TryReadRole(words[2], out KeyRole role)) return false;
        DateTimeOffset?[] times = new DateTimeOffset?[5];
        for (int i = 0; i < times.Length; i++)
            if (!TryReadTime(words[6 + i], out times[i])) return false;
        if (times[0] is not { } created) return false;
        _keys.Add(new KeyRecord(id, role, created)
        {
            IsPublished = words[3] == "+published",
            SignsZone = words[4] == "+signs",
            IsRetiring = words[5] == "+retiring",
            Published = times[1],
            Activated = times[2],
            Retired = times[3],
            Removed = times[4],
        });
        return true;
    }

    private static bool TryReadSet(string[] words, List<CachedSet> sets)
    {
        if (words.Length != 5 || !KeyIds.TryParse(words[1], out KeyIds keys) ||
            !KeyIds.TryParse(words[2], out KeyIds signers)
            || !PolicyText.TryReadSeconds(words[3], out TimeSpan? ttl) || ttl is null
            || !TryReadTime(words[4], out DateTimeOffset? replaced)) return false;
        sets.Add(new CachedSet(keys, ttl.Value) { Signers = signers, Replaced = replaced });
        return true;
    }

    private static bool TryReadRole(string word, out KeyRole role)
    {
        role = word switch { "ksk" => KeyRole.Ksk, "zsk" => KeyRole.Zsk, _ => KeyRole.Csk };
        return word == role.Text();
    }

    private static bool TryReadTime(string word, out DateTimeOffset? time)
    {
        time = null;
        if (word == "-") return true;
        bool isTime = KeyStateText.TryReadTime(word, out DateTimeOffset read);
        if (isTime) time = read;
        return isTime;
    }

    private static bool TryReadAlgorithm(string word, out DnssecAlgorithm? algorithm)
    {
        algorithm = null;
        if (word == "-") return true;
        bool isNumber = byte.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out byte number);
        if (isNumber) algorithm = (DnssecAlgorithm)number;
        return isNumber;
    }
}
