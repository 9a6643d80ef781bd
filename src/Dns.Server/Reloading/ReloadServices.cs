using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Dns.Server;

/// <summary>What changes the server while it runs, as services of the host.</summary>
internal static class ReloadServices
{
    /// <summary>Adds them.</summary>
    /// <param name="services">Has the provider, the responder and the log's levels.</param>
    /// <param name="arguments">Where the settings are read from again.</param>
    /// <param name="settings">The settings of the start. Their lists of zones are not held on to.</param>
    public static IServiceCollection AddReloading(
        this IServiceCollection services, SettingsArguments arguments, Settings settings)
    {
        ReloadOptions options = settings.Options.Reload;
        Settings started = settings with { Options = new ServerOptions { TsigKeys = settings.Options.TsigKeys } };
        LiveSettings.Basis basis = LiveSettings.Basis.Of(settings.Options);
        return services
            .AddSingleton<ZoneReloader>()
            .AddSingleton<IZoneControl, ZoneControl>()
            .AddSingleton(provider => new ZoneOperations(
                provider.GetRequiredService<ZoneStatusReader>(), provider.GetRequiredService<IZoneControl>(),
                provider.GetRequiredService<ZoneNotifier>().Sender))
            .AddSingleton(provider => ActivatorUtilities.CreateInstance<LiveSettings>(provider, basis))
            .AddSingleton(provider => ActivatorUtilities.CreateInstance<SettingsReloader>(provider, arguments, started))
            .AddSingleton(provider => ActivatorUtilities.CreateInstance<ZoneFileWatcher>(provider, options))
            .AddHostedService(provider => provider.GetRequiredService<ZoneFileWatcher>())
            .AddHostedService<ReloadSignal>();
    }
}
