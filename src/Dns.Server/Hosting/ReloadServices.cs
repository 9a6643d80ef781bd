using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Dns.Server.Hosting;

/// <summary>Registers the services of Dns.Reloading, and those parts of the server that they use.</summary>
internal static class ReloadServices
{
    /// <param name="services">Contains the zone sources, the responder and the log levels.</param>
    /// <param name="settings">The settings of the start. Their lists of zones are not retained.</param>
    public static IServiceCollection AddReloading(
        this IServiceCollection services, SettingsArguments arguments, Settings settings)
    {
        ReloadOptions options = settings.Options.Reload;
        Settings started = settings with { Options = new ServerOptions { TsigKeys = settings.Options.TsigKeys } };
        return services
            .AddSingleton<IReloadObserver>(provider => provider.GetRequiredService<ServiceReports>())
            .AddSingleton<ZoneReloader>()
            .AddSingleton<IZoneControl, ZoneControl>()
            .AddSingleton<ZoneOperations>()
            .AddSingleton<ILiveSettings, FeatureSettings>()
            .AddSingleton(provider => ActivatorUtilities.CreateInstance<SettingsReloader>(provider, arguments, started))
            .AddSingleton(provider => ActivatorUtilities.CreateInstance<ZoneFileWatcher>(provider, options))
            .AddHostedService(provider => provider.GetRequiredService<ZoneFileWatcher>())
            .AddHostedService<ReloadSignal>();
    }
}
