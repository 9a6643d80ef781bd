using Microsoft.Extensions.DependencyInjection;

namespace Dns.Server.Hosting;

/// <summary>Registers the zone sources with the host: files of settings and commands, and those of features.</summary>
internal static class ZoneServices
{
    /// <summary>Registers them.</summary>
    /// <param name="zones">The zones of settings and commands. Not retained.</param>
    /// <param name="configured">Stores zones added by commands.</param>
    public static IServiceCollection AddZones(
        this IServiceCollection services, ServerOptions options, ZoneExpansion zones, ConfiguredZones configured,
        FeatureSet features, ZoneRegistry registry)
    {
        ZoneReaders readers = new(options.WorkerCount);
        MasterFileSource ofSettings =
            new("the settings", zones.OfSettings, readers) { Limits = options.ZoneLimits, Overlay = features.Overlay };
        MasterFileSource ofCommands = new($"dnsd zone add, {configured.Lasting}", zones.OfCommands, readers)
        {
            Limits = options.ZoneLimits,
            Precedence = ZonePrecedence.Command,
            Overlay = features.Overlay,
        };
        return services
            .AddSingleton(registry.Published)
            .AddSingleton<ZoneClaimLog>()
            .AddSingleton(provider =>
            {
                provider.GetRequiredService<ZoneClaimLog>().Follow(registry);
                return registry;
            })
            .AddSingleton(provider => new ZoneSourceSet(
                provider.GetRequiredService<ZoneRegistry>(), ofSettings, ofCommands, features.Sources))
            .AddSingleton<ZoneStatusReader>()
            .AddSingleton<ZoneLoadService>();
    }
}
