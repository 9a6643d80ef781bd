namespace Dns.Dnssec.Offline;

/// <summary>
/// Future DNSKEY RRsets of a zone with an offline KSK: a request, which a server makes with its ZSKs, or a bundle, made
/// from it where the KSK is. Immutable.
/// </summary>
/// <param name="IsBundle">Whether it is signed.</param>
public sealed record KeySets(DomainName Zone, bool IsBundle)
{
    /// <summary>Maximum RRsets in one file.</summary>
    public const int MaxSlots = 1000;

    /// <summary>The RRsets in order of time.</summary>
    public IReadOnlyList<KeySlot> Slots { get; init; } = [];

    /// <summary>Of a request: when it was made.</summary>
    public DateTimeOffset Made { get; init; }

    /// <summary>Of a request: the validity of signatures.</summary>
    public TimeSpan Lifetime { get; init; }

    /// <summary>Of a request: the time until caches know a published key.</summary>
    public TimeSpan Lead { get; init; }

    /// <summary>Of a request: the KSKs that the server publishes, and since when.</summary>
    public IReadOnlyList<(Dnskey Key, DateTimeOffset Since)> Known { get; init; } = [];

    /// <summary>Of a request: the tags of the parent's DS records; null = unknown.</summary>
    public IReadOnlyList<ushort>? Parent { get; init; }

    /// <summary>Of a bundle: the digest of its request; null = of several.</summary>
    public string? Request { get; init; }

    /// <summary>When the last signature expires.</summary>
    public DateTimeOffset End => Slots.Count == 0 ? default : Slots[^1].End;

    /// <summary>When the next bundle is due: a month before the end, or half of the period if that is less.</summary>
    public DateTimeOffset WarnFrom
    {
        get
        {
            TimeSpan half = (End - Slots[0].Start) / 2, month = TimeSpan.FromDays(30);
            return End - (half < month ? half : month);
        }
    }

    /// <summary>Finds a key by its id; null if it does not exist.</summary>
    public Dnskey? Find(KeyId id)
    {
        foreach (KeySlot slot in Slots)
            foreach (Dnskey key in slot.Keys)
                if (KeySlot.IdOf(key) == id) return key;
        return null;
    }
}
