namespace Dns.Dnssec.Policies;

/// <summary>A decision about the keys of a zone.</summary>
/// <param name="Keys">The keys that it concerns; none = the whole zone.</param>
public sealed record KeyEvent(KeyEventKind Kind, KeyIds Keys)
{
    /// <summary>The keys that they replace.</summary>
    public KeyIds Replaced { get; init; } = KeyIds.None;

    /// <summary>The role of the key, if it is made or rolls over.</summary>
    public KeyRole Role { get; init; }
}

/// <summary>The kind of a <see cref="KeyEvent"/>.</summary>
public enum KeyEventKind : byte
{
    /// <summary>A key was generated.</summary>
    Made,

    /// <summary>The rollover of a key begins.</summary>
    RollsOver,

    /// <summary>Keys joined the DNSKEY RRset.</summary>
    Published,

    /// <summary>A key began to sign the zone.</summary>
    SignsZone,

    /// <summary>CDS and CDNSKEY request DS records of the keys.</summary>
    DsRequested,

    /// <summary>The parent has DS records of exactly these keys.</summary>
    DsSeen,

    /// <summary>Keys ended to sign the zone.</summary>
    SigningEnded,

    /// <summary>Keys left the DNSKEY RRset.</summary>
    Unpublished,

    /// <summary>No cached version refers to a key any more.</summary>
    Unused,

    /// <summary>A key set is replaced because its signatures have expired.</summary>
    KeySetExpired,

    /// <summary>CDS and CDNSKEY request that the DS records are removed.</summary>
    DsRemovalRequested,

    /// <summary>The operator has to remove the DS records: an offline KSK signs no request.</summary>
    DsRemovalByHand,

    /// <summary>The zone became unsigned.</summary>
    ZoneUnsigned,
}
