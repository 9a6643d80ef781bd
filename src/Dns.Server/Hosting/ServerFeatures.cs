namespace Dns.Server.Hosting;

/// <summary>What this server can do, in the order that start and stop need; a feature is a line.</summary>
internal static class ServerFeatures
{
    /// <summary>The loops and timers of all parts, by their labels in metrics.</summary>
    public static IEnumerable<string> Loops =>
    [
        .. TransportLoops.All, Responder.LoopName, .. OutgoingLoops.All, .. TelemetryLoops.All, .. ManagementLoops.All,
        FeatureClock.LoopName, .. ReloadLoops.All, ServiceReports.LoopName, TakeoverName.LoopName,
    ];

    /// <summary>The settings that they declare.</summary>
    public static IEnumerable<Setting> FindSettings() => All.FindSettings();

    /// <summary>The features.</summary>
    public static FeatureList All { get; } = new FeatureList()
        .With<AnswerFeature>()
        .With<SocketFeature>()
        .With<AdminFeature>()
        .With<StateSpaceFeature>()
        .With<QueryLogFeature>()
        .With<DnstapFeature>()
        .With<CookieFeature>()
        .With<RateLimitFeature>()
        // Signed versions get into the history, and from there to secondaries, which are notified then.
        .With<SigningFeature>()
        .With<TransferFeature>()
        .With<NotifyFeature>()
        .With<UpdateFeature>()
        .With<LocalNamesFeature>()
        .With<SecondaryFeature>()
        // Lists the claims of the sources above.
        .With<CatalogFeature>()
        .WithSockets()
        // Queries that wait for upstreams get their replies before the sockets are closed.
        .With<ForwardingFeature>();
}
