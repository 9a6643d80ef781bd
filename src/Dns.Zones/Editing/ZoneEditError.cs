using Dns.Protocol;

namespace Dns.Zones;

/// <summary>Why a delta does not fit a zone.</summary>
public enum ZoneEditErrorKind : byte
{
    /// <summary>It is of another zone, or changes another version than this.</summary>
    OtherVersion,

    /// <summary>A record's owner is not in the zone.</summary>
    OutOfZone,

    /// <summary>It removes a record that is not there.</summary>
    NotThere,

    /// <summary>It adds a record that is there.</summary>
    AlreadyThere,

    /// <summary>What it makes is no zone: its SOA, CNAME, DNAME or DS stand where they may not.</summary>
    Forbidden,

    /// <summary>It makes a name, or the zone, larger than that may be.</summary>
    TooLarge,
}

/// <summary>A delta that does not fit: what is wrong, and at which record.</summary>
/// <param name="Kind">What is wrong.</param>
/// <param name="Owner">The name at which it is wrong.</param>
/// <param name="Type">The type; 0 where it is the name as a whole.</param>
/// <param name="Message">The same in words: what was found and what was expected.</param>
public sealed record ZoneEditError(ZoneEditErrorKind Kind, DomainName Owner, RRType Type, string Message);
