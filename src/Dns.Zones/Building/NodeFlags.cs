namespace Dns.Zones;

/// <summary>What a lookup has to know of a node before it looks at its RRsets.</summary>
[Flags]
internal enum NodeFlags : byte
{
    None = 0,

    /// <summary>A zone cut: NS below the apex, at a name that is not a wildcard (RFC 4592 §4.2).</summary>
    Cut = 1,

    /// <summary>Lies below a zone cut or a DNAME, so that its data is glue at most, or has NSEC3 records alone.</summary>
    Occluded = 2,

    /// <summary>Has a child whose label is the asterisk.</summary>
    WildcardChild = 4,

    /// <summary>Owns a CNAME.</summary>
    Alias = 8,

    /// <summary>Owns a DNAME.</summary>
    Dname = 16,

    /// <summary>The owner was spelled with upper-case letters; the bits follow the name.</summary>
    Spelled = 32,

    /// <summary>Replaced by a later node of the same name.</summary>
    Dead = 64,

    /// <summary>Became a cut or a DNAME above names that were there, whose nodes were not marked as occluded for it.</summary>
    Unmarked = 128,
}
