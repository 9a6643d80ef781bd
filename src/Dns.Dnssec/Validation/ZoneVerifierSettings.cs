namespace Dns.Dnssec;

/// <summary>How a zone is verified.</summary>
public sealed record ZoneVerifierSettings
{
    /// <summary>The moment at which signatures are to be good.</summary>
    public required DateTimeOffset Now { get; init; }

    /// <summary>Threads that verify.</summary>
    public int Threads { get; init; } = Environment.ProcessorCount;
}
