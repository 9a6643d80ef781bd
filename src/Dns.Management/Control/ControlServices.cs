using Microsoft.Extensions.DependencyInjection;

namespace Dns.Management.Control;

/// <summary>Registers the control socket with the host.</summary>
public static class ControlServices
{
    public static IServiceCollection AddControl(this IServiceCollection services, ControlOptions options) => services
        .AddSingleton(options)
        .AddSingleton<StatusReplies>()
        .AddSingleton<ZoneReplies>()
        .AddSingleton<LogReplies>()
        .AddSingleton<CommandTable>()
        .AddSingleton<ServerOperations>()
        .AddSingleton<ControlDispatcher>()
        .AddHostedService<ControlServer>();
}
