using Microsoft.Extensions.DependencyInjection;

namespace Dns.Features.Forwarding;

/// <summary>Creates the forwarder from the settings.</summary>
internal static class ForwardingSetup
{
    private const int LeastSockets = 16;

    /// <summary>The forwarder; null if nothing is forwarded.</summary>
    /// <param name="listening">The server's own addresses, which are never queried.</param>
    /// <param name="zones">The served zones, about which upstreams are not trusted.</param>
    /// <param name="exceptions">Receives unexpected exceptions of its loops.</param>
    public static Forwarder? Create(
        ServerOptions options, IReadOnlyList<IPEndPoint> listening, PublishedZones zones, IExceptionSink exceptions) =>
        options.Forward.Count == 0 ? null : new Forwarder(
            OptionsOf(options, listening), TimeProvider.System, new SocketNetwork(exceptions), exceptions)
        {
            Served = new ServedZones(zones),
        };

    /// <summary>Registers the services of a forwarder.</summary>
    /// <param name="file">The file of its cache; null = none.</param>
    public static void AddForwarding(this IServiceCollection services, Forwarder forwarder, string? file)
    {
        services.AddSingleton(forwarder).AddHostedService<ForwardingLifetime>();
        if (file is not null)
            services.AddSingleton(provider => ActivatorUtilities.CreateInstance<CacheFile>(provider, file, forwarder));
    }

    internal static int UpstreamsOf(ServerOptions options) =>
        options.Forward.SelectMany(zone => zone.Upstreams).Distinct().Count();

    /// <summary>Maximum descriptors of sockets to upstreams.</summary>
    internal static int DescriptorsOf(ServerOptions options) =>
        SocketsPerUpstream(options, DescriptorLimit.Files) * UpstreamsOf(options);

    /// <summary>Sockets to each upstream: 1,024, or a share of a quarter of the open files limit; 16 or more.</summary>
    /// <param name="files">The open files limit of the process; null = unknown.</param>
    internal static int SocketsPerUpstream(ServerOptions options, ulong? files) =>
        files is { } known && UpstreamsOf(options) is > 0 and int upstreams
            ? (int)Math.Clamp(known / 4 / (ulong)upstreams, LeastSockets, ForwarderOptions.MostSockets)
            : ForwarderOptions.MostSockets;

    internal static ForwarderOptions OptionsOf(ServerOptions options,
        IReadOnlyList<IPEndPoint> listening) => options.Recursion with
    {
        Zones = options.Forward,
        Cache = options.Cache,
        SocketsPerUpstream = SocketsPerUpstream(options, DescriptorLimit.Files),
        OwnEndPoints = listening,
    };

    /// <summary>The forwarded names, for the local names; null if those are off.</summary>
    public static IReadOnlyList<DomainName>? LocalNamesOf(ServerOptions options) =>
        options.Forward.Count == 0 || !options.RecursionLocalNames
            ? null : [.. options.Forward.Select(zone => zone.Name)];
}
