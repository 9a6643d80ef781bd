namespace Dns.Dnssec;

/// <summary>One key of a zone: what is intended with it, and since when. Immutable.</summary>
/// <param name="Id">Which key.</param>
/// <param name="Role">What it signs.</param>
/// <param name="Created">When it was made or imported.</param>
public sealed record KeyRecord(KeyId Id, KeyRole Role, DateTimeOffset Created)
{
    /// <summary>Whether its DNSKEY record is to be in the zone; a KSK or CSK signs the DNSKEY RRset while it is.</summary>
    public bool IsPublished { get; init; }

    /// <summary>Whether it is to sign the RRsets of the zone other than DNSKEY.</summary>
    public bool SignsZone { get; init; }

    /// <summary>Whether another key takes its place, or took it.</summary>
    public bool IsRetiring { get; init; }

    /// <summary>When it was published; null = not yet.</summary>
    public DateTimeOffset? Published { get; init; }

    /// <summary>
    /// When its use began, which its lifetime counts from: of a KSK when it was published, of others when they began to sign.
    /// </summary>
    public DateTimeOffset? Activated { get; init; }

    /// <summary>When it was decided that another key takes its place.</summary>
    public DateTimeOffset? Retired { get; init; }

    /// <summary>When no cache could need it any more; null = it is or may be in use.</summary>
    public DateTimeOffset? Removed { get; init; }

    /// <summary>Whether it is out of use for good.</summary>
    public bool IsRemoved => Removed is not null;

    /// <summary>All its times, moved.</summary>
    internal KeyRecord Shift(Func<DateTimeOffset, DateTimeOffset> move) => this with
    {
        Created = move(Created),
        Published = Move(Published, move),
        Activated = Move(Activated, move),
        Retired = Move(Retired, move),
        Removed = Move(Removed, move),
    };

    private static DateTimeOffset? Move(DateTimeOffset? time, Func<DateTimeOffset, DateTimeOffset> move) =>
        time is { } there ? move(there) : null;
}
