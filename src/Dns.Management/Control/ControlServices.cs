using Microsoft.Extensions.DependencyInjection;

namespace Dns.Management;

/// <summary>What answers those who control the server, as services of the host.</summary>
internal static class ControlServices
{
    /// <summary>Adds them.</summary>
    /// <param name="services">Has operations for zones and keys.</param>
    /// <param name="options">Where the socket is.</param>
    public static IServiceCollection AddControl(this IServiceCollection services, ControlOptions options) => services
        .AddSingleton(options)
        .AddSingleton<StatusReplies>()
        .AddSingleton<ZoneReplies>()
        .AddSingleton<UpdateReplies>()
        .AddSingleton<UpdateOperations>()
        .AddSingleton<KeyReplies>()
        .AddSingleton<LogReplies>()
        .AddSingleton<CacheReplies>()
        .AddSingleton<WhyQuery>()
        .AddSingleton<ServerOperations>()
        .AddSingleton<ControlDispatcher>()
        .AddHostedService<ControlServer>();
}
