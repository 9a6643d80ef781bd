namespace Dns.Dnssec.Policies;

/// <summary>One key of a zone: its goal, and since when. Immutable.</summary>
/// <param name="Created">When it was generated or imported.</param>
public sealed record KeyRecord(KeyId Id, KeyRole Role, DateTimeOffset Created)
{
    /// <summary>Whether its DNSKEY record should be in the zone; a KSK or CSK then signs the DNSKEY RRset.</summary>
    public bool IsPublished { get; init; }

    /// <summary>Whether it should sign the RRsets of the zone other than DNSKEY.</summary>
    public bool SignsZone { get; init; }

    /// <summary>Whether another key replaces or replaced it.</summary>
    public bool IsRetiring { get; init; }

    /// <summary>When it was published; null = not yet.</summary>
    public DateTimeOffset? Published { get; init; }

    /// <summary>When its lifetime started: a KSK when it was published, others when they first signed.</summary>
    public DateTimeOffset? Activated { get; init; }

    /// <summary>When its replacement was decided.</summary>
    public DateTimeOffset? Retired { get; init; }

    /// <summary>When the last cache no longer needed it; null = it is or may be in use.</summary>
    public DateTimeOffset? Removed { get; init; }

    /// <summary>Whether it is out of use for good.</summary>
    public bool IsRemoved => Removed is not null;

    /// <summary>The key with all times shifted.</summary>
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
