using Microsoft.Extensions.Logging;

namespace Dns.Server.Hosting;

/// <summary>Applies the settings that can change at runtime to the parts of the server. Not thread-safe.</summary>
internal sealed class LiveSettings(
    LiveSettings.Basis started, LiveResponder responder, AbuseProtection protection, TransferHandler transfers,
    UpdateHandler updates, NotifyHandler notifies, Secondaries secondaries, ZoneNotifier notifier, SigningSetup signing,
    CatalogZones catalogs, ZoneRegistry registry, ListenerSet listeners, LocalNamesSwitch localNames,
    ILogger<LiveSettings> logger, Forwarder? forwarder = null, AdminAccess? admin = null) : ILiveSettings
{
    private Basis _now = started;

    public IEnumerable<string> FindRestartRequired(ServerOptions options)
    {
        if (options.MaxUdpPayload > _now.SlotOctets)
            yield return $"Dns:MaxUdpPayload above {_now.SlotOctets} takes effect at the next start";
        if (forwarder is null && options.Forward.Count > 0)
            yield return "Dns:Forward takes effect at the next start: nothing was forwarded so far";
        if (admin?.MayTake(options.Admin.Token) == false)
            yield return "Dns:Admin:Token stays until the next start: others can reach the admin port where it " +
                "listens now";
    }

    public SecondaryChanges FindSecondaries(ServerOptions options) => secondaries.Compare(options);

    public void Apply(ServerOptions options)
    {
        Basis before = _now;
        _now = Basis.Of(options) with { SlotOctets = before.SlotOctets };
        ApplyToAnswers(options);
        signing.Use(options);
        secondaries.Use(options);
        catalogs.Use(options);
        string? note =
            listeners.Use(_now.Limits, SocketBinding.ProxiesOf(options), ForwardingSetup.DescriptorsOf(options));
        if (note is not null && _now.Limits != before.Limits) logger.ListenerNote(note);
        if (admin?.MayTake(options.Admin.Token) == true) admin.Use(options.Admin.Token);
        if (forwarder is null) return;
        if (_now.LocalNames != before.LocalNames) localNames.Use(ForwardingSetup.LocalNamesOf(options));
        if (!forwarder.Use(ForwardingSetup.OptionsOf(options, listeners.EndPoints))) return;
        ForwardingLog.Write(logger, forwarder.Zones);
    }

    public void OnZonesChanged() => catalogs.OnZonesChanged();

    public void OnZonesRead() => signing.WarnOfUnsigned(registry.Published.Current.Slots);

    private void ApplyToAnswers(ServerOptions options)
    {
        protection.Use(options);
        transfers.Use(options);
        updates.Use(options);
        notifier.Use(options);
        notifies.Use(options);
        int payload = responder.Current.Options.MaxUdpPayload;
        responder.Current = responder.Current.With(protection.AddTo(DnsServer.ResponderOptionsOf(options) with
        {
            MaxUdpPayload = options.MaxUdpPayload <= _now.SlotOctets ? options.MaxUdpPayload : payload,
        }));
    }

    /// <summary>The settings to compare with the next ones: without the zones, to save memory.</summary>
    /// <param name="SlotOctets">The size of datagram buffers, fixed with the sockets.</param>
    /// <param name="LocalNames">The zones that replace local names; null = local names are off.</param>
    internal sealed record Basis(int SlotOctets, TcpLimits Limits, string? LocalNames)
    {
        public static Basis Of(ServerOptions options) => new(
            SocketBinding.TransportOptionsOf(options).SlotOctets, options.Tcp,
            options.RecursionLocalNames ? string.Join(' ', options.Forward.Select(zone => zone.Name)) : null);
    }
}
