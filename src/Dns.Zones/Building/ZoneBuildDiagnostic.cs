namespace Dns.Zones;

/// <summary>Problems that a <see cref="ZoneBuilder"/> detects.</summary>
public enum ZoneBuildDiagnosticKind : byte
{
    /// <summary>A duplicate record, which was dropped.</summary>
    DuplicateRecord,

    /// <summary>An RRset with different TTLs; the lowest is used (RFC 2181 §5.2).</summary>
    MixedTtl,

    /// <summary>More than 60 MiB of data at a name: the zone cannot be served.</summary>
    TooMuchData,

    /// <summary>
    /// More records of a type than <see cref="ZoneLimits.RecordsPerType"/>: the zone cannot be served.
    /// </summary>
    TooManyRecords,

    /// <summary>More types at a name than <see cref="ZoneLimits.TypesPerName"/>: the zone cannot be served.</summary>
    TooManyTypes,
}

/// <summary>A diagnostic of a <see cref="ZoneBuilder"/>, without a line, since the builder has no files.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Owner">The name.</param>
/// <param name="Type">The type of the RRset.</param>
/// <param name="Rdata">The RDATA of the record.</param>
public sealed record ZoneBuildDiagnostic(ZoneBuildDiagnosticKind Kind, DomainName Owner, RRType Type, byte[] Rdata);
