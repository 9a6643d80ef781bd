using Microsoft.Extensions.DependencyInjection;

namespace Dns.Server;

/// <summary>What answers those who control the server, as services of the host.</summary>
internal static class ControlServices
{
    /// <summary>Adds them.</summary>
    public static IServiceCollection AddControl(this IServiceCollection services, ControlOptions options) => services
        .AddSingleton(options)
        .AddSingleton<StatusReplies>()
        .AddSingleton<ZoneReplies>()
        .AddSingleton<UpdateReplies>()
        .AddSingleton<UpdateOperations>()
        .AddSingleton<IKeyOperations, LiveKeyOperations>()
        .AddSingleton<KeyReplies>()
        .AddSingleton<LogReplies>()
        .AddSingleton<CacheReplies>()
        .AddSingleton<WhyQuery>()
        .AddSingleton<ServerOperations>()
        .AddSingleton<ZoneOperations>()
        .AddSingleton<ControlDispatcher>()
        .AddHostedService<ControlServer>();
}
