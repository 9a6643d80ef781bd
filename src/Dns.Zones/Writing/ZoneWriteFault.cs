namespace Dns.Zones.Writing;

/// <summary>Why a zone is not written.</summary>
public enum ZoneWriteFaultKind : byte
{
    /// <summary>There is no such zone, or it has no data.</summary>
    NoZone,

    /// <summary>The zone to be added exists.</summary>
    ZoneExists,

    /// <summary>It has another serial than the one expected: <see cref="ZoneWriteFault.Serial"/>.</summary>
    OtherSerial,

    /// <summary>Its source takes no changes, or none of this kind.</summary>
    NotWritable,

    /// <summary>The writes of one call are of zones of several back ends, or more than the back end can join.</summary>
    NotTogether,

    /// <summary>There is no state directory that keeps changes.</summary>
    NoStateDirectory,

    /// <summary>Its file is being edited: changes are refused until it is thawed.</summary>
    Frozen,

    /// <summary>A secondary here: changes go to its primary.</summary>
    Secondary,

    /// <summary>The signature of the request is wrong.</summary>
    BadSignature,

    /// <summary>The client has no permission to change the zone.</summary>
    NotAllowed,

    /// <summary>The client has no permission to change <see cref="ZoneWriteFault.Type"/> at
    /// <see cref="ZoneWriteFault.Owner"/>.</summary>
    RecordNotAllowed,

    /// <summary>The client may not query the zone, and prerequisites would answer queries.</summary>
    QueryNotAllowed,

    /// <summary>Records of <see cref="ZoneWriteFault.Type"/> are made by the server, which signs the zone.</summary>
    MadeBySigner,

    /// <summary>A condition of the request is false, or the request is malformed.</summary>
    Prerequisite,

    /// <summary>The result is not a valid zone: <see cref="ZoneWriteFault.Edit"/>.</summary>
    Invalid,

    /// <summary>The names of the request have more than <see cref="ZoneWriteFault.Most"/> octets of records.</summary>
    RequestTooLarge,

    /// <summary>The records of a name would have more than <see cref="ZoneWriteFault.Most"/> octets.</summary>
    NameTooLarge,

    /// <summary>An RRset would have more than <see cref="ZoneWriteFault.Most"/> octets.</summary>
    RRsetTooLarge,

    /// <summary>A record would have more than <see cref="ZoneWriteFault.Most"/> octets of RDATA.</summary>
    RdataTooLarge,

    /// <summary>An RRset would have more than <see cref="ZoneWriteFault.Most"/> records.</summary>
    TooManyRecords,

    /// <summary>A name would have more than <see cref="ZoneWriteFault.Most"/> types.</summary>
    TooManyTypes,

    /// <summary>The zone would have too many empty non-terminals for its records.</summary>
    TooManyEmptyNames,

    /// <summary>The zones that are changed would take more than <see cref="ZoneWriteFault.Most"/> bytes.</summary>
    ZonesTooLarge,

    /// <summary>The same, with the signatures of the zone.</summary>
    SignedZonesTooLarge,

    /// <summary>The last version could not be signed, <see cref="ZoneWriteFault.Detail"/>: only removals are accepted.
    /// </summary>
    NotSigned,

    /// <summary>Too many writes wait.</summary>
    Overloaded,

    /// <summary>It could not be stored: <see cref="ZoneWriteFault.Detail"/>.</summary>
    NotStored,

    /// <summary>A defect of the server, which is in the log.</summary>
    Crashed,
}

/// <summary>A reason why a zone is not written. Interfaces make their own text of it.</summary>
public sealed record ZoneWriteFault(ZoneWriteFaultKind Kind)
{
    /// <summary>The name of the records; null for none.</summary>
    public DomainName? Owner { get; init; }

    /// <summary>Their type; 0 for none.</summary>
    public RRType Type { get; init; }

    /// <summary>The limit that is exceeded.</summary>
    public long Most { get; init; }

    /// <summary>The serial that the zone has; null if unknown.</summary>
    public uint? Serial { get; init; }

    /// <summary>The record that does not fit; null for none.</summary>
    public ZoneEditError? Edit { get; init; }

    /// <summary>What the system or another part says, as text; null for none.</summary>
    public string? Detail { get; init; }
}
