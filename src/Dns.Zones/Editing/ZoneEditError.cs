namespace Dns.Zones.Editing;

/// <summary>Why a delta does not fit a zone.</summary>
public enum ZoneEditErrorKind : byte
{
    /// <summary>It is for another zone, or another version.</summary>
    OtherVersion,

    /// <summary>A record's owner is not in the zone.</summary>
    OutOfZone,

    /// <summary>It removes a record that does not exist.</summary>
    NotThere,

    /// <summary>It adds a record that exists.</summary>
    AlreadyThere,

    /// <summary>The result is not a valid zone: SOA, CNAME, DNAME or DS are at a wrong place.</summary>
    Forbidden,

    /// <summary>It exceeds the limits of a name or of the zone.</summary>
    TooLarge,
}

/// <summary>A delta that does not fit: the reason, and the record.</summary>
/// <param name="Type">Its type; 0 for the whole name.</param>
public sealed record ZoneEditError(ZoneEditErrorKind Kind, DomainName Owner, RRType Type, string Message);
