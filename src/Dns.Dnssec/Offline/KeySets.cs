using Dns.Protocol;

namespace Dns.Dnssec;

/// <summary>
/// The coming DNSKEY RRsets of a zone whose KSK is kept elsewhere: a request, which a server makes with its ZSKs, or a bundle, which is
/// made of it where the KSK is. Immutable.
/// </summary>
/// <param name="Zone">The zone.</param>
/// <param name="IsBundle">Whether it is signed.</param>
public sealed record KeySets(DomainName Zone, bool IsBundle)
{
    /// <summary>The most RRsets in one file.</summary>
    public const int MaxSlots = 1000;

    /// <summary>The RRsets, the first one first.</summary>
    public IReadOnlyList<KeySlot> Slots { get; init; } = [];

    /// <summary>Of a request: when it was made.</summary>
    public DateTimeOffset Made { get; init; }

    /// <summary>Of a request: how long signatures are to be good for.</summary>
    public TimeSpan Lifetime { get; init; }

    /// <summary>Of a request: how long it takes until caches know a key that was published.</summary>
    public TimeSpan Lead { get; init; }

    /// <summary>Of a request: the KSKs that the server publishes, and since when.</summary>
    public IReadOnlyList<(PublicKey Key, DateTimeOffset Since)> Known { get; init; } = [];

    /// <summary>Of a request: the tags of the keys that the parent had DS records of; null = not known.</summary>
    public IReadOnlyList<ushort>? Parent { get; init; }

    /// <summary>Of a bundle: the digest of the request that it is made of; null = of several.</summary>
    public string? Request { get; init; }

    /// <summary>When the last signature ends.</summary>
    public DateTimeOffset End => Slots.Count == 0 ? default : Slots[^1].End;

    /// <summary>From when on the next bundle is due: a month before the end, or half of the time where that is less.</summary>
    public DateTimeOffset WarnFrom
    {
        get
        {
            TimeSpan half = (End - Slots[0].Start) / 2, month = TimeSpan.FromDays(30);
            return End - (half < month ? half : month);
        }
    }

    /// <summary>Finds a key by its name; null if there is none.</summary>
    public PublicKey? Find(KeyId id)
    {
        foreach (KeySlot slot in Slots)
            foreach (PublicKey key in slot.Keys)
                if (KeySlot.IdOf(key) == id) return key;
        return null;
    }
}
