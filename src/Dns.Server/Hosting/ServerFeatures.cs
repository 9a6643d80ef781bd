namespace Dns.Server.Hosting;

/// <summary>What this server can do, in the order that start and stop need; a feature is a line.</summary>
internal static class ServerFeatures
{
    /// <summary>The features.</summary>
    public static FeatureList All { get; } = new FeatureList()
        .With<AnswerFeature>()
        .With<SocketFeature>()
        .With<AdminFeature>()
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
