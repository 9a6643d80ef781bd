using System.Net;
using Dns.Forwarding;
using Dns.Protocol;
using Dns.Transport;
using Dns.Transport.Outgoing;
using Dns.Zones;
using Microsoft.Extensions.DependencyInjection;

namespace Dns.Server;

/// <summary>Makes from the settings what asks others.</summary>
internal static class ForwardingSetup
{
    private const int LeastSockets = 16;

    /// <summary>The forwarder; null if nothing is forwarded.</summary>
    /// <param name="options">The settings.</param>
    /// <param name="listening">Where this server listens: it never asks itself.</param>
    /// <param name="zones">What it answers for by itself: others are not believed about that.</param>
    /// <param name="exceptions">Where its loops report unexpected exceptions.</param>
    public static Forwarder? Create(
        ServerOptions options, IReadOnlyList<IPEndPoint> listening, PublishedZones zones, IExceptionSink exceptions) =>
        options.Forward.Count == 0 ? null : new Forwarder(
            OptionsOf(options, listening), TimeProvider.System, new SocketNetwork(exceptions), exceptions)
        {
            Served = new ServedZones(zones),
        };

    /// <summary>Adds what a forwarder needs while it runs.</summary>
    /// <param name="services">Has the forwarder from now on.</param>
    /// <param name="forwarder">The forwarder.</param>
    /// <param name="file">Where its cache is kept; null = nowhere.</param>
    public static void AddForwarding(this IServiceCollection services, Forwarder forwarder, string? file)
    {
        services.AddSingleton(forwarder).AddHostedService<ForwardingLifetime>();
        if (file is not null)
            services.AddSingleton(provider => ActivatorUtilities.CreateInstance<CacheFile>(provider, file, forwarder));
    }

    /// <summary>How many addresses are asked.</summary>
    internal static int UpstreamsOf(ServerOptions options) => options.Forward.SelectMany(zone => zone.Upstreams).Distinct().Count();

    /// <summary>How many files the sockets to upstreams may take.</summary>
    internal static int DescriptorsOf(ServerOptions options) => SocketsPerUpstream(options, DescriptorLimit.Files) * UpstreamsOf(options);

    /// <summary>Sockets to each upstream: 1,024 unless all together would take more than a quarter of the files that may be open.</summary>
    /// <param name="options">The settings.</param>
    /// <param name="files">How many files the process may open; null = not known.</param>
    internal static int SocketsPerUpstream(ServerOptions options, ulong? files) =>
        files is { } known && UpstreamsOf(options) is > 0 and int upstreams
            ? (int)Math.Clamp(known / 4 / (ulong)upstreams, LeastSockets, ForwarderOptions.MostSockets) : ForwarderOptions.MostSockets;

    /// <summary>The options of the forwarder.</summary>
    internal static ForwarderOptions OptionsOf(ServerOptions options, IReadOnlyList<IPEndPoint> listening) => options.Recursion with
    {
        Zones = options.Forward,
        Cache = options.Cache,
        SocketsPerUpstream = SocketsPerUpstream(options, DescriptorLimit.Files),
        OwnEndPoints = listening,
    };

    /// <summary>What is forwarded, as the local names have to know it; null where there are to be none of those.</summary>
    public static IReadOnlyList<DomainName>? LocalNamesOf(ServerOptions options) =>
        options.Forward.Count == 0 || !options.RecursionLocalNames ? null : [.. options.Forward.Select(zone => zone.Name)];
}
