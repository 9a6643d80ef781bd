using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Dns.Server.Hosting;

/// <summary>Registers the zone sources with the host: the only place with their types.</summary>
internal static class ZoneServices
{
    /// <summary>Registers them. Another source is a line here.</summary>
    /// <param name="services">Receives the published zones.</param>
    /// <param name="zones">The zones of settings and commands. Not retained.</param>
    /// <param name="configured">Stores zones added by commands.</param>
    public static IServiceCollection AddZones(
        this IServiceCollection services, ServerOptions options, ZoneExpansion zones, ConfiguredZones configured,
        PublishedZones published, DynamicZones dynamic, Handover handover)
    {
        ZoneReaders readers = new(options.WorkerCount);
        MasterFileSource ofSettings =
            new("the settings", zones.OfSettings, readers) { Limits = options.ZoneLimits, Overlay = dynamic };
        MasterFileSource ofCommands = new($"dnsd zone add, {configured.Lasting}", zones.OfCommands, readers)
        {
            Limits = options.ZoneLimits,
            Precedence = ZonePrecedence.Command,
            Overlay = dynamic,
        };
        LocalNamesSource localNames = new(ForwardingSetup.LocalNamesOf(options));
        if (configured.StateDirectory is { } state)
            services.AddSingleton(provider => MakeHistory(provider, options, state, dynamic, handover));
        return services
            .AddSingleton(published)
            .AddSingleton(dynamic).AddSingleton(handover)
            .AddSingleton(new LocalNamesSwitch(localNames.Use))
            .AddSingleton<ZoneClaimLog>().AddSingleton<SigningLog>()
            .AddSingleton(provider => new SigningSetup(options, configured.StateDirectory,
                provider.GetRequiredService<TransferHandler>().Transfers.History,
                provider.GetRequiredService<TimeProvider>(), provider.GetRequiredService<SigningLog>(), handover))
            .AddSingleton(provider => new ParentNotifier(
                PrimaryNetwork.Sockets, provider.GetRequiredService<ZoneNotifier>().Sender,
                provider.GetRequiredService<TimeProvider>(), provider.GetRequiredService<SigningLog>()))
            .AddSingleton(provider =>
            {
                ZoneRegistry registry = new(published);
                provider.GetRequiredService<SigningSetup>().Follow(registry);
                if (provider.GetRequiredService<SigningSetup>().Service is { } signing)
                    provider.GetRequiredService<ParentNotifier>().Follow(signing);
                provider.GetRequiredService<ZoneClaimLog>().Follow(registry);
                // In this order, so that notified secondaries find the deltas.
                provider.GetRequiredService<TransferHandler>().Transfers.History.Follow(registry);
                provider.GetService<StoredHistory>()?.Follow(registry);
                provider.GetRequiredService<ZoneNotifier>().Sender.Follow(registry);
                dynamic.Follow(registry);
                provider.GetRequiredService<CatalogZones>().Follow(registry);
                return registry;
            })
            .AddSingleton<SecondaryLog>()
            .AddSingleton(provider => new Secondaries(
                options, configured.StateDirectory, provider.GetRequiredService<TransferHandler>().Transfers.History,
                provider.GetRequiredService<TimeProvider>(), provider.GetRequiredService<SecondaryLog>(),
                provider.GetRequiredService<ILogger<Secondaries>>()))
            .AddSingleton<CatalogLog>()
            .AddSingleton(provider => new CatalogZones(
                options, configured.StateDirectory, provider.GetRequiredService<Secondaries>(),
                provider.GetRequiredService<TimeProvider>(), provider.GetRequiredService<CatalogLog>()))
            // Catalogs last: they list the claims of the others.
            .AddSingleton(provider => new ZoneSourceSet(
                provider.GetRequiredService<ZoneRegistry>(), ofSettings, ofCommands,
                [localNames, provider.GetRequiredService<Secondaries>().Source,
                    provider.GetRequiredService<CatalogZones>().Producer]))
            .AddSingleton(provider => new ZoneStatusReader(
                provider.GetRequiredService<ZoneRegistry>(), provider.GetRequiredService<TimeProvider>(), dynamic,
                provider.GetRequiredService<IReplicationStatus>(), provider.GetRequiredService<SigningSetup>().Service))
            .AddSingleton<IKeyOperations>(provider => provider.GetRequiredService<SigningSetup>().KeyOperations)
            .AddSingleton<ZoneLoadService>();
    }

    private static StoredHistory MakeHistory(
        IServiceProvider provider, ServerOptions options, string stateDirectory, DynamicZones dynamic,
        Handover handover)
    {
        TransferHandler transfers = provider.GetRequiredService<TransferHandler>();
        StoredHistory history = new(Path.Join(stateDirectory, "history"), new DiskFiles(flushes: false),
            transfers.Transfers.History, IsKept, options.ZoneLimits, provider.GetRequiredService<IHistoryObserver>())
        {
            Handover = handover,
        };
        return history;

        // The others have their versions elsewhere: signed copies, copies of secondaries, journals of updates.
        bool IsKept(ZoneSlot slot) => slot is { Source: IZoneFiles, IsSignedHere: false }
            && transfers.AllowedOf(slot).Rules.Count > 0
            && dynamic.StatusOf(slot.Name) is not { JournalCount: > 0 };
    }
}
