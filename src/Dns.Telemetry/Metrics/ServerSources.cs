namespace Dns.Telemetry.Metrics;

/// <summary>Everything that counts while the server runs: what metrics and the status page are read from.</summary>
/// <param name="Forwarder">The forwarder; null = nothing is forwarded.</param>
/// <param name="AnswerTimes">Times and samples of answers; null = off.</param>
public sealed record ServerSources(
    AnswerCounters Answers, ListenerSet Listeners, IZoneFigures Zones, Forwarder? Forwarder, AnswerTimes? AnswerTimes)
{
    private readonly Lock _zonesGate = new();

    /// <summary>What writes answers somewhere.</summary>
    public IReadOnlyList<NamedRecorder> Recorders { get; init; } = [];

    /// <summary>The zones that queries see; null = answers are not counted by zone.</summary>
    public PublishedZones? Published { get; init; }

    /// <summary>The zone directories of the settings.</summary>
    public Func<IEnumerable<string>> ZoneDirectories { get; init; } = () => [];

    /// <summary>Files of the log that could not be opened at the start.</summary>
    public IReadOnlyList<FileFault> LogFaults { get; init; } = [];

    /// <summary>The errors of settings with which the last reload was refused.</summary>
    public Func<IReadOnlyList<string>> ReloadRefusal { get; init; } = () => [];

    /// <summary>Unexpected exceptions of loops; null = not counted.</summary>
    public LoopExceptions? Exceptions { get; init; }

    public IReadOnlyList<ZoneAnswers> ReadZoneAnswers()
    {
        if (Published is null) return [];
        lock (_zonesGate) return Answers.ReadZones(Published.Current);
    }

    /// <summary>The UDP counters over all addresses.</summary>
    public UdpCounters ReadUdp() => Listeners.ReadUdpCounters();
}
