namespace Dns.Dnssec.Offline;

/// <summary>What is wrong with a bundle.</summary>
/// <param name="Slot">The start of the slot; null = the whole bundle.</param>
public sealed record KeySetFault(KeySetFaultKind Kind, DateTimeOffset? Slot = null)
{
    /// <summary>The zone of the bundle, and the expected one.</summary>
    public (DomainName? Found, DomainName? Expected) Zones { get; init; }

    /// <summary>When its signatures expire.</summary>
    public DateTimeOffset End { get; init; }

    /// <summary>The key that it concerns.</summary>
    public Dnskey? Key { get; init; }

    /// <summary>The keys with DS records at the parent.</summary>
    public KeyIds Parent { get; init; } = KeyIds.None;

    /// <summary>The type of the RRset without a valid signature.</summary>
    public RRType Type { get; init; }
}

/// <summary>The kind of a <see cref="KeySetFault"/>.</summary>
public enum KeySetFaultKind : byte
{
    /// <summary>The bundle is of another zone.</summary>
    OtherZone,

    /// <summary>The bundle has no slot.</summary>
    NoSlot,

    /// <summary>The next slot begins no later.</summary>
    Unordered,

    /// <summary>The signatures expire before the next slot begins.</summary>
    Gap,

    /// <summary>A KSK or a ZSK is missing.</summary>
    NoKey,

    /// <summary>Two keys have one tag.</summary>
    SharedTag,

    /// <summary>A key may not sign the zone.</summary>
    NoZoneKey,

    /// <summary>The keys have several algorithms.</summary>
    SeveralAlgorithms,

    /// <summary>A CDS record is of no KSK of the slot.</summary>
    StrangeCds,

    /// <summary>CDS and CDNSKEY differ.</summary>
    UnequalCds,

    /// <summary>An RRset has no valid signature of a KSK.</summary>
    NoSignature,

    /// <summary>The last signatures have expired.</summary>
    Expired,

    /// <summary>The key of the DS RRset at the parent is missing.</summary>
    NoParentKey,

    /// <summary>The private key of a ZSK is not here.</summary>
    NoPrivateKey,
}
