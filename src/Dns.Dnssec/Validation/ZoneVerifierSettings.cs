namespace Dns.Dnssec.Validation;

/// <summary>How a zone is verified.</summary>
public sealed record ZoneVerifierSettings
{
    /// <summary>The time at which signatures must be valid.</summary>
    public required DateTimeOffset Now { get; init; }

    /// <summary>Number of threads.</summary>
    public int Threads { get; init; } = Environment.ProcessorCount;
}
