namespace Dns.Features;

/// <summary>
/// A capability of the server: all that it adds to answers, zones, reloads, metrics, status and commands, each part
/// optional. A class in a folder of its own derives it and implements <see cref="IFeature"/>; a line in the list of
/// Dns.Server adds it. It is made before sockets are served, keeps no <see cref="ServerParts"/>, and opens nothing
/// before <see cref="StartAsync"/>.
/// </summary>
public abstract class Feature : IDisposable
{
    /// <summary>What a query sees of it. Called at the start, and after <see cref="Use"/>.</summary>
    public virtual ResponderOptions AddTo(ResponderOptions options) => options;

    /// <summary>The opcodes and meta-types that it answers.</summary>
    public virtual MessageHandlers AddTo(MessageHandlers handlers) => handlers;

    /// <summary>What writes answers somewhere, with its name in metrics.</summary>
    public virtual IEnumerable<NamedRecorder> Recorders => [];

    /// <summary>Sees each answer, on the thread that sends it; null = it sees none.</summary>
    public virtual IAnswerObserver? Observer => null;

    /// <summary>The forwarder; null = this is none.</summary>
    public virtual Forwarder? Forwarder => null;

    /// <summary>The names that it forwards, for the responder; null = none.</summary>
    public virtual IForwardedZones? Forwarded => null;

    /// <summary>What <c>dnsd why</c> says of these names; null = there are none.</summary>
    public virtual IExplainedForwarding? Explained => null;

    /// <summary>Connects the transports to the responder, if it defers queries; null = it does not.</summary>
    /// <param name="times">Times answers; null = off.</param>
    /// <param name="steps">The steps of all features.</param>
    public virtual IMessageResponder? Join<TSteps>(LiveResponder responder, AnswerTimes? times, TSteps steps)
        where TSteps : struct, IAnswerSteps => null;

    /// <summary>Its source of zones; null = it has none.</summary>
    public virtual IZoneSource? Source => null;

    /// <summary>What it lays over zones of files; null = nothing.</summary>
    public virtual IZoneOverlay? Overlay => null;

    /// <summary>Starts it, in the order of the list: before or after the sockets are served.</summary>
    public virtual Task StartAsync(CancellationToken cancellation) => Task.CompletedTask;

    /// <summary>Stops it, in the reverse order.</summary>
    public virtual Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

    /// <summary>Called ten times a second, by one thread that no attack can delay.</summary>
    public virtual void Tick()
    {
    }

    /// <summary>Changed settings that it cannot take at runtime, a line each.</summary>
    public virtual IEnumerable<string> FindRestartRequired(ServerOptions options) => [];

    /// <summary>Takes changed settings, which have no errors. Called by one thread at a time.</summary>
    public virtual void Use(ServerOptions options)
    {
    }

    /// <summary>Zones that changed settings add, remove or change.</summary>
    public virtual SecondaryChanges Compare(ServerOptions options) => SecondaryChanges.None;

    /// <summary>A reload has changed the policies of zones, after <see cref="Use"/>.</summary>
    public virtual void OnZonesChanged()
    {
    }

    /// <summary>A reload has read changed zones.</summary>
    public virtual void OnZonesRead()
    {
    }

    /// <summary>All sources have loaded what they have on this machine.</summary>
    public virtual void OnZonesLoaded()
    {
    }

    /// <summary>Completes when zones that are loaded can be served by it.</summary>
    public virtual Task WhenZonesReady() => Task.CompletedTask;

    /// <summary>The server stops, and no zone changes any more.</summary>
    public virtual void OnZonesStopped()
    {
    }

    /// <summary>A successor is about to read the files of this server: writes what only a stop writes.</summary>
    public virtual void OnSuccessor()
    {
    }

    /// <summary>A successor answers, and its files are the successor's from now on.</summary>
    public virtual void HandOver()
    {
    }

    /// <summary>The server that this one replaces has ended: follows what it did since files were read here.</summary>
    /// <returns>The zones to read again.</returns>
    public virtual IReadOnlyList<DomainName> CatchUp() => [];

    /// <summary>Adds its metrics. Their values are read on a scrape.</summary>
    public virtual void AddTo(MetricSet metrics)
    {
    }

    /// <summary>Its counters for <c>dnsd stats</c>, with the names that metrics have.</summary>
    public virtual IEnumerable<CountGroup> Counts => [];

    /// <summary>What an operator should know at this moment.</summary>
    public virtual IEnumerable<StatusWarning> FindWarnings() => [];

    /// <summary>What it knows of a zone.</summary>
    public virtual ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot) => status;

    /// <summary>Why a command cannot add a zone of this name, a clause about it; null if it can.</summary>
    public virtual string? FindObstacle(DomainName zone) => null;

    /// <summary>Its commands of the control socket.</summary>
    public virtual void AddTo(CommandTable commands)
    {
    }

    public virtual void Dispose()
    {
    }
}
