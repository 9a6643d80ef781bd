namespace Dns.Dnssec.Validation;

/// <summary>The result of a <see cref="ZoneVerifier"/>.</summary>
public sealed class ZoneVerification
{
    internal ZoneVerification(DiagnosticList diagnostics, long signatures, DateTimeOffset? firstExpiration)
    {
        Diagnostics = diagnostics.Kept;
        ErrorCount = diagnostics.ErrorCount;
        WarningCount = diagnostics.WarningCount;
        Signatures = signatures;
        FirstExpiration = firstExpiration;
    }

    /// <summary>The diagnostics, by name in canonical order; the first 1000 of each severity.</summary>
    public IReadOnlyList<RecordDiagnostic> Diagnostics { get; }

    /// <summary>Number of errors, listed or not.</summary>
    public int ErrorCount { get; }

    /// <summary>Number of warnings, listed or not.</summary>
    public int WarningCount { get; }

    /// <summary>Number of valid signatures.</summary>
    public long Signatures { get; }

    /// <summary>When the first valid signature expires; null = none.</summary>
    public DateTimeOffset? FirstExpiration { get; }

    /// <summary>Whether a validator accepts every answer of the zone.</summary>
    public bool IsGood => ErrorCount == 0;
}
