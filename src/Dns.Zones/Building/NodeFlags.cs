namespace Dns.Zones.Building;

/// <summary>Properties of a node that a lookup needs before it reads the RRsets.</summary>
[Flags]
internal enum NodeFlags : byte
{
    None = 0,

    /// <summary>A zone cut: NS below the apex, at a name that is not a wildcard (RFC 4592 §4.2).</summary>
    Cut = 1,

    /// <summary>Below a zone cut or a DNAME, so that its data is at most glue; or with NSEC3 records only.</summary>
    Occluded = 2,

    /// <summary>Has a child whose label is the asterisk.</summary>
    WildcardChild = 4,

    /// <summary>Owns a CNAME.</summary>
    Alias = 8,

    Dname = 16,

    /// <summary>The owner has upper-case letters; their bits follow the name.</summary>
    OriginalCase = 32,

    /// <summary>Owns a record of <see cref="ChoiceMark.Type"/>.</summary>
    Chosen = 64,

    /// <summary>Became a cut or a DNAME above existing names, whose nodes were not marked as occluded.</summary>
    Unmarked = 128,
}
