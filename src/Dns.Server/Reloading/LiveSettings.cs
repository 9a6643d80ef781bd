using Dns.Answering;
using Dns.Forwarding;
using Dns.Transport;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>
/// Lets the settings take effect that can while the server runs; zones and the log are not among them. Used by one thread at a time.
/// </summary>
internal sealed class LiveSettings(
    LiveSettings.Basis started, LiveResponder responder, AbuseProtection defence, TransferHandler transfers, UpdateHandler updates,
    NotifyHandler notifies, Secondaries secondaries, ZoneNotifier notifier, SigningSetup signing,
    CatalogZones catalogs, ListenerSet listeners, LocalNamesSwitch localNames,
    ILogger<LiveSettings> logger, Forwarder? forwarder = null, AdminAccess? admin = null)
{
    private Basis _now = started;

    /// <summary>What of settings that could change, in general, cannot in this case: a line each.</summary>
    public IEnumerable<string> FindWaiting(ServerOptions options)
    {
        if (options.MaxUdpPayload > _now.SlotOctets)
            yield return $"Dns:MaxUdpPayload above {_now.SlotOctets} takes effect at the next start";
        if (forwarder is null && options.Forward.Count > 0)
            yield return "Dns:Forward takes effect at the next start: nothing was forwarded so far";
        if (admin?.MayTake(options.Admin.Token) == false)
            yield return "Dns:Admin:Token stays until the next start: others can reach the admin port where it listens now";
    }

    /// <summary>What would become of the zones that are copied from primaries.</summary>
    public SecondaryChanges FindSecondaries(ServerOptions options) => secondaries.Compare(options);

    /// <summary>Lets them take effect.</summary>
    public void Apply(ServerOptions options)
    {
        Basis before = _now;
        _now = Basis.Of(options) with { SlotOctets = before.SlotOctets };
        ApplyToAnswers(options);
        signing.Use(options);
        secondaries.Use(options);
        catalogs.Use(options);
        string? note = listeners.Use(_now.Limits, SocketBinding.ProxiesOf(options), ForwardingSetup.DescriptorsOf(options));
        if (note is not null && _now.Limits != before.Limits) logger.ListenerNote(note);
        if (admin?.MayTake(options.Admin.Token) == true) admin.Use(options.Admin.Token);
        if (forwarder is null) return;
        if (_now.LocalNames != before.LocalNames) localNames.Use(ForwardingSetup.LocalNamesOf(options));
        if (!forwarder.Use(ForwardingSetup.OptionsOf(options, listeners.EndPoints))) return;
        foreach (UpstreamStatus upstream in forwarder.Upstreams)
            logger.Forwarding(string.Join(" ", upstream.Zones), upstream.Address);
    }

    /// <summary>Lets take effect what depends on zones, once those of the settings have been taken over.</summary>
    public void OnZonesChanged() => catalogs.OnZonesChanged();

    private void ApplyToAnswers(ServerOptions options)
    {
        defence.Use(options);
        transfers.Use(options);
        updates.Use(options);
        notifier.Use(options);
        notifies.Use(options);
        int payload = responder.Current.Options.MaxUdpPayload;
        responder.Current = responder.Current.With(defence.AddTo(DnsServer.ResponderOptionsOf(options) with
        {
            MaxUdpPayload = options.MaxUdpPayload <= _now.SlotOctets ? options.MaxUdpPayload : payload,
        }));
    }

    /// <summary>What is compared with the settings before: without all their zones, which would stay in memory.</summary>
    /// <param name="SlotOctets">Room for a datagram, which stays as long as the sockets.</param>
    /// <param name="Limits">Of TCP.</param>
    /// <param name="LocalNames">The zones that replace local names; null = there are none of those names.</param>
    internal sealed record Basis(int SlotOctets, TcpLimits Limits, string? LocalNames)
    {
        /// <summary>That of settings.</summary>
        public static Basis Of(ServerOptions options) => new(
            SocketBinding.TransportOptionsOf(options).SlotOctets, options.Tcp,
            options.RecursionLocalNames ? string.Join(' ', options.Forward.Select(zone => zone.Name)) : null);
    }
}
