using Microsoft.Extensions.Hosting;

namespace Dns.Features;

/// <summary>The features of a running server, in the order of their list. Disposes them in the reverse order.</summary>
public sealed class FeatureSet(
    FeatureList kinds, IReadOnlyList<Feature> features, int beforeSockets, IExceptionSink exceptions)
    : IFeatureStatus, IDisposable
{
    /// <summary>What they are made from.</summary>
    public FeatureList Kinds => kinds;

    /// <summary>All of them.</summary>
    public IReadOnlyList<Feature> All => features;

    /// <summary>What writes answers somewhere.</summary>
    public IReadOnlyList<NamedRecorder> Recorders { get; } = [.. features.SelectMany(one => one.Recorders)];

    /// <summary>What sees each answer.</summary>
    public IAnswerObserver[] Observers =>
        [.. Recorders.Select(one => one.Recorder), .. features.Select(one => one.Observer).OfType<IAnswerObserver>()];

    /// <summary>The forwarder; null = none.</summary>
    public Forwarder? Forwarder => First(one => one.Forwarder);

    /// <summary>The names that are forwarded; null = none.</summary>
    public IForwardedZones? Forwarded => First(one => one.Forwarded);

    public IExplainedForwarding? Explained => First(one => one.Explained);

    /// <summary>Connects the transports to the responder; null = no feature defers queries.</summary>
    public IMessageResponder? Join<TSteps>(LiveResponder responder, AnswerTimes? times, TSteps steps)
        where TSteps : struct, IAnswerSteps => First(one => one.Join(responder, times, steps));

    /// <summary>The sources of zones besides files.</summary>
    public IReadOnlyList<IZoneSource> Sources => [.. features.Select(one => one.Source).OfType<IZoneSource>()];

    /// <summary>What is laid over zones of files.</summary>
    public IZoneOverlay? Overlay => First(one => one.Overlay);

    /// <summary>Runs those that start before the sockets are served, and the clock.</summary>
    public IHostedService BeforeSockets =>
        new Run([.. features.Take(beforeSockets)], new FeatureClock(this, exceptions));

    /// <summary>Runs those that start when the sockets are served.</summary>
    public IHostedService AfterSockets => new Run([.. features.Skip(beforeSockets)], null);

    /// <summary>The options of a responder with all features.</summary>
    public ResponderOptions AddTo(ResponderOptions options) =>
        features.Aggregate(options, static (sum, one) => one.AddTo(sum));

    /// <summary>The handlers of all features.</summary>
    public MessageHandlers Handlers =>
        features.Aggregate(MessageHandlers.None, static (sum, one) => one.AddTo(sum));

    public ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot) =>
        features.Aggregate(status, (sum, one) => one.AddTo(sum, slot));

    /// <summary>Adds the metrics of all features.</summary>
    public void AddTo(MetricSet metrics) => ForEach(one => one.AddTo(metrics));

    public IEnumerable<CountGroup> Counts => features.SelectMany(one => one.Counts);

    public IEnumerable<StatusWarning> FindWarnings() => features.SelectMany(one => one.FindWarnings());

    public string? FindObstacle(DomainName zone) => First(one => one.FindObstacle(zone));

    public void AddTo(CommandTable commands) => ForEach(one => one.AddTo(commands));

    private T? First<T>(Func<Feature, T?> part) where T : class =>
        features.Select(part).FirstOrDefault(one => one is not null);

    /// <summary>Does something with each, in their order.</summary>
    public void ForEach(Action<Feature> action)
    {
        foreach (Feature feature in features) action(feature);
    }

    public void Dispose()
    {
        foreach (Feature feature in features.Reverse()) feature.Dispose();
    }

    private sealed class Run(Feature[] some, FeatureClock? clock) : IHostedService
    {
        public async Task StartAsync(CancellationToken cancellationToken)
        {
            foreach (Feature feature in some) await feature.StartAsync(cancellationToken).ConfigureAwait(false);
            clock?.Start();
        }

        public async Task StopAsync(CancellationToken cancellationToken)
        {
            clock?.Dispose();
            foreach (Feature feature in some.Reverse())
                await feature.StopAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}
