using Microsoft.Extensions.Logging;

namespace Dns.Features.Signing;

/// <summary>Signs zones by the policies of the settings, with the keys of the state directory.</summary>
public sealed class SigningFeature : Feature, IFeature
{
    /// <summary>The folder of the keys, in the state directory.</summary>
    public const string KeyFolder = "keys";

    /// <summary>The directory of signed versions in the state directory.</summary>
    public const string SignedFolder = "signed";

    private readonly ParentCheck? _parent;
    private readonly KeyStore? _keys;
    private readonly SignedCopies? _copies;
    private readonly SigningLog _log;
    private readonly HashSet<DomainName> _warned = [];
    private readonly SigningLimiter _limiter = new(new SigningLimits());
    private readonly TimeProvider _time;
    private readonly long _started;
    private ZoneRegistry? _registry;
    private ParentNotifier? _notifier;

    /// <summary>Creates it; it signs nothing before <see cref="Follow"/>.</summary>
    /// <param name="stateDirectory">The state directory; null = none, and nothing is signed.</param>
    /// <param name="log">Receives events.</param>
    /// <param name="handover">Whether keys and versions may be written.</param>
    public SigningFeature(ServerOptions options, string? stateDirectory, TimeProvider time, SigningLog log,
        Handover handover)
    {
        (_log, _time, _started) = (log, time, time.GetTimestamp());
        KeyOperations = new LiveKeyOperations(null, time, null);
        if (stateDirectory is null) return;
        _keys = new KeyStore(Path.Join(stateDirectory, KeyFolder), time.GetUtcNow);
        _parent = new ParentCheck(SchemeNetwork.Create(), time);
        _copies = new SignedCopies(Path.Join(stateDirectory, SignedFolder), options.ZoneLimits);
        Service = new ZoneSigning(_keys, _copies, time, log, new ZoneSigningOptions { Limits = options.ZoneLimits })
        {
            Parent = _parent, Handover = handover,
        };
        KeyOperations = new LiveKeyOperations(Service, time, Path.Join(stateDirectory, KeyFolder));
        Use(options);
    }

    /// <summary>The signing service; null without a state directory.</summary>
    public ZoneSigning? Service { get; }

    /// <summary>The commands of an operator for its keys.</summary>
    public IKeyOperations KeyOperations { get; }

    public static Feature Create(ServerParts parts)
    {
        SigningFeature feature = new(parts.Options, parts.StateDirectory, parts.Clock,
            new SigningLog(parts.Loggers.CreateLogger<SigningLog>()), parts.Handover);
        feature.Follow(parts.Registry);
        return feature;
    }

    /// <summary>Notifies parents of new keys from now on.</summary>
    /// <param name="sender">Sends the notifications.</param>
    public void NotifyParents(NotifySender sender)
    {
        if (Service is null) return;
        _notifier = new ParentNotifier(SchemeNetwork.Create(), sender, _time, _log);
        _notifier.Follow(Service);
    }

    public override ResponderOptions AddTo(ResponderOptions options) => options with { SigningLimiter = _limiter };

    public override void Tick() => _limiter.Tick(_time.GetElapsedTime(_started));

    /// <summary>Sets the policies of the settings.</summary>
    public override void Use(ServerOptions options)
    {
        // Not the whole settings, which contain all zones.
        Dictionary<string, DnssecPolicy> policies = new(options.DnssecPolicies, StringComparer.OrdinalIgnoreCase);
        policies.TryAdd(DnssecPolicy.DefaultName, DnssecPolicy.Default);
        Service?.Use(policies.GetValueOrDefault);
        lock (_warned) _warned.Clear();
    }

    /// <summary>
    /// Warns of zones that are unsigned at once while their parents may have DS records, each once until the next <see
    /// cref="Use"/>.
    /// </summary>
    public void WarnOfUnsigned(IEnumerable<ZoneSlot> slots)
    {
        if (_keys is null) return;
        IEnumerable<ZoneSlot> unsigned = slots.Where(slot => slot.Policy is { IsUnsignedAtOnce: true });
        foreach (DomainName zone in _keys.FindDelegated(unsigned.Select(slot => slot.Name)))
        {
            lock (_warned)
                if (!_warned.Add(zone)) continue;
            _log.OnUnsigned(zone);
        }
    }

    /// <summary>Signs the zones of a registry.</summary>
    public void Follow(ZoneRegistry registry)
    {
        _registry = registry;
        registry.Changed += change => WarnOfUnsigned(change.Added);
        if (Service is not null) Service.Follow(registry);
        else registry.Signer = new NoSigner();
    }

    /// <summary>Completes when no zone waits to be signed: each has been, or cannot be.</summary>
    public override Task WhenZonesReady() => Service?.WhenIdle() ?? Task.CompletedTask;

    public override void OnZonesRead() => WarnOfUnsigned(_registry?.Published.Current.Slots ?? []);

    /// <summary>Saves the published versions.</summary>
    public override void OnZonesStopped() => Dispose();

    public override void HandOver() => _copies?.HandOver();

    public override void Dispose()
    {
        Service?.Dispose();
        _parent?.Dispose();
        _notifier?.Dispose();
    }

    public override ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot) =>
        status with { Signing = ZoneSigningStatus.Of(Service?.StatusOf(slot.Name)) };

    public override void AddTo(CommandTable commands)
    {
        KeyReplies replies = new(KeyOperations);
        commands.Add("keys list", replies.List);
        commands.Add("keys ds", replies.Ds);
        commands.Add("keys rollover", replies.RollOver);
        commands.Add("keys submitted", replies.Submit);
        commands.Add("keys request", replies.Request);
        commands.Add("keys load-bundle", replies.LoadBundle);
    }

    public override void AddTo(MetricSet metrics)
    {
        metrics.Counter("dnsd_online_signatures_total",
            "Signatures for answers of zones with compact denial, by result.", "result",
            () => [new("made", Service?.OnlineSignatures ?? 0), new("refused", _limiter.Refused)]);
        metrics.Gauge("dnsd_zone_key_bundle_expiry",
            "When the last signature of the bundles of an offline KSK expires, in seconds since 1970.",
            () => metrics.EachZone(zone => Service?.StatusOf(zone.Name)?.BundleEnd?.ToUnixTimeSeconds()));
    }

    /// <summary>Reports for each zone with a policy why it is not signed.</summary>
    private sealed class NoSigner : IZoneSigning
    {
        public void Sign(ZoneSlot slot, in ZoneVersionChange source, DateTimeOffset? now) =>
            slot.FailSigning(new UnsignedFailure(
                "it cannot be signed: Dns:StateDirectory names no directory to keep its keys in"), now);

        public bool Keeps(ZoneSlot slot, Zone? version) => false;

        public void Release(ZoneSlot slot)
        {
        }
    }
}
