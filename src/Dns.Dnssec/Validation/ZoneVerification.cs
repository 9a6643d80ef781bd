using Dns.Zones;

namespace Dns.Dnssec;

/// <summary>What a <see cref="ZoneVerifier"/> found.</summary>
public sealed class ZoneVerification
{
    internal ZoneVerification(DiagnosticList findings, long signatures, DateTimeOffset? firstExpiration)
    {
        Findings = findings.Kept;
        ErrorCount = findings.ErrorCount;
        WarningCount = findings.WarningCount;
        Signatures = signatures;
        FirstExpiration = firstExpiration;
    }

    /// <summary>The findings, by name in canonical order; the first 1000 of each severity that were found.</summary>
    public IReadOnlyList<RecordDiagnostic> Findings { get; }

    /// <summary>How many errors there are, listed or not.</summary>
    public int ErrorCount { get; }

    /// <summary>How many warnings there are, listed or not.</summary>
    public int WarningCount { get; }

    /// <summary>Signatures that are good.</summary>
    public long Signatures { get; }

    /// <summary>When the first of the good signatures ends; null = there is none.</summary>
    public DateTimeOffset? FirstExpiration { get; }

    /// <summary>Whether a validator takes every answer of the zone.</summary>
    public bool IsGood => ErrorCount == 0;
}
