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

    internal bool TryRead(string[] words) => words[0] switch
    {
        "key" => TryReadKey(words),
        "dnskey" => TryReadSet(words, _keySets),
        "rrsig" => TryReadSet(words, _signerSets),
        "ds" => TryReadSet(words, _dsSets),
        "wanted" => TryReadWanted(words),
        "seen" => TryReadSeen(words),
        "cds" => TryReadCds(words),
        "rollover" => TryReadRollover(words),
        "policy" => TryReadPolicy(words),
        "elsewhere" => TryReadElsewhere(words),
        "slot" => TryReadSlot(words),
        "serial" => TryReadSerial(words),
        _ => false,
    };

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
            || !TryReadSeconds(words[3], out TimeSpan? ttl) || ttl is null
            || !TryReadTime(words[4], out DateTimeOffset? replaced)) return false;
        sets.Add(new CachedSet(keys, ttl.Value) { Signers = signers, Replaced = replaced });
        return true;
    }

    private bool TryReadWanted(string[] words)
    {
        if (words.Length != 2 || !KeyIds.TryParse(words[1], out KeyIds wanted)) return false;
        _rest = _rest with { WantedDs = wanted };
        return true;
    }

    private bool TryReadSeen(string[] words)
    {
        KeyIds? seen = null;
        if (words.Length != 3 || words[1] != "?" && !KeyIds.TryParse(words[1], out seen)) return false;
        if (!TryReadSeconds(words[2], out TimeSpan? ttl)) return false;
        _rest = _rest with { SeenDs = seen, DsTtl = ttl };
        return true;
    }

    private bool TryReadCds(string[] words)
    {
        if (words.Length != 4 || !KeyIds.TryParse(words[1], out KeyIds cds)) return false;
        _rest =
            _rest with { ServedCds = cds, ServedCdsDelete = words[2] == "+delete", IsLeaving = words[3] == "+leaving" };
        return true;
    }

    private bool TryReadRollover(string[] words)
    {
        if (words.Length != 5 || !TryReadAlgorithm(words[3], out DnssecAlgorithm? wanted)
            || !TryReadAlgorithm(words[4], out DnssecAlgorithm? policy)) return false;
        _rest = _rest with
        {
            WantsKsk = words[1] == "+ksk", WantsZsk = words[2] == "+zsk", WantedAlgorithm = wanted,
            PolicyAlgorithm = policy,
        };
        return true;
    }

    private bool TryReadElsewhere(string[] words)
    {
        _rest = _rest with { IsElsewhere = true };
        return words.Length == 1;
    }

    private bool TryReadSlot(string[] words)
    {
        if (words.Length != 2 || !TryReadTime(words[1], out DateTimeOffset? slot)) return false;
        _rest = _rest with { Slot = slot };
        return true;
    }

    private bool TryReadSerial(string[] words)
    {
        if (words.Length != 2) return false;
        if (!uint.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out uint serial)) return false;
        _rest = _rest with { HighestSerial = serial };
        return true;
    }

    private bool TryReadPolicy(string[] words)
    {
        if (!PolicyText.TryRead(words.AsSpan(1), out DnssecPolicy? policy)) return false;
        _rest = _rest with { Policy = policy };
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

    private static bool TryReadSeconds(string word, out TimeSpan? time)
    {
        time = null;
        if (word == "?") return true;
        bool isNumber = uint.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out uint seconds);
        if (isNumber) time = TimeSpan.FromSeconds(seconds);
        return isNumber;
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
