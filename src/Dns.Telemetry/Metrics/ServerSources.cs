namespace Dns.Telemetry.Metrics;

/// <summary>Everything that counts while the server runs: what metrics and the status page are read from.</summary>
/// <param name="Forwarder">The forwarder; null = nothing is forwarded.</param>
/// <param name="AnswerTimes">Times and samples of answers; null = off.</param>
internal sealed record ServerSources(
    AnswerCounters Answers, ListenerSet Listeners, IZoneFigures Zones, Forwarder? Forwarder, AnswerTimes? AnswerTimes)
{
    private readonly Lock _zonesGate = new();

    /// <summary>What is recorded; null = nothing.</summary>
    public AnswerRecorders? Recorders { get; init; }

    /// <summary>The rate limiter of answers at this moment; null = there is none, and never was.</summary>
    public Func<RateLimiter?> RateLimiter { get; init; } = () => null;

    /// <summary>Signatures made for answers of zones with compact denial so far.</summary>
    public Func<long> OnlineSignatures { get; init; } = () => 0;

    /// <summary>The limiter of such signatures; null = not counted.</summary>
    public SigningLimiter? SigningLimiter { get; init; }

    /// <summary>The zones that are updated; null = none are.</summary>
    public DynamicZones? Updates { get; init; }

    /// <summary>The zones that queries see; null = answers are not counted by zone.</summary>
    public PublishedZones? Published { get; init; }

    /// <summary>Zones given to secondaries; null = not counted.</summary>
    public OutgoingTransfers? Transfers { get; init; }

    /// <summary>Notifications of secondaries; null = not counted.</summary>
    public NotifySender? Notifications { get; init; }

    /// <summary>The zone directories of the settings.</summary>
    public Func<IEnumerable<string>> ZoneDirectories { get; init; } = () => [];

    /// <summary>Files of the log that could not be opened at the start.</summary>
    public IReadOnlyList<FileFault> LogFaults { get; init; } = [];

    /// <summary>The errors of settings with which the last reload was refused.</summary>
    public Func<IReadOnlyList<string>> ReloadRefusal { get; init; } = () => [];

    /// <summary>Unexpected exceptions of loops; null = not counted.</summary>
    public LoopExceptions? Exceptions { get; init; }

    public SecondaryCounters Secondaries { get; init; } = new();

    public IReadOnlyList<ZoneAnswers> ReadZoneAnswers()
    {
        if (Published is null) return [];
        lock (_zonesGate) return Answers.ReadZones(Published.Current);
    }

    /// <summary>The UDP counters over all addresses.</summary>
    public UdpCounters ReadUdp() => Listeners.ReadUdpCounters();
}
