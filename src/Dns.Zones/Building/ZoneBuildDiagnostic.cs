namespace Dns.Zones.Building;

/// <summary>Problems that a <see cref="ZoneBuilder"/> detects.</summary>
public enum ZoneBuildDiagnosticKind : byte
{
    /// <summary>A duplicate record, which was dropped.</summary>
    DuplicateRecord,

    /// <summary>An RRset with different TTLs; the lowest is used (RFC 2181 §5.2).</summary>
    MixedTtl,

    /// <summary>More than 60 MiB of data at a name: the zone cannot be served.</summary>
    TooMuchData,

    /// <summary>More than <see cref="ZoneLimits.RecordsPerType"/> records of a type: the zone is not served.</summary>
    TooManyRecords,

    /// <summary>More types at a name than <see cref="ZoneLimits.TypesPerName"/>: the zone cannot be served.</summary>
    TooManyTypes,
}

/// <summary>A diagnostic of a <see cref="ZoneBuilder"/>, without a line, since the builder has no files.</summary>
public sealed record ZoneBuildDiagnostic(ZoneBuildDiagnosticKind Kind, DomainName Owner, RRType Type, byte[] Rdata);
