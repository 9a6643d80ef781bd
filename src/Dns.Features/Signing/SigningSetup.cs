namespace Dns.Features.Signing;

/// <summary>Creates the signing of zones from the settings and the state directory.</summary>
internal sealed class SigningSetup : IDisposable
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

    /// <summary>Creates it; it signs nothing before <see cref="Follow"/>.</summary>
    /// <param name="stateDirectory">The state directory; null = none, and nothing is signed.</param>
    /// <param name="history">Receives the deltas of signed versions read from disk.</param>
    /// <param name="log">Receives events.</param>
    /// <param name="handover">Whether keys and versions may be written.</param>
    public SigningSetup(ServerOptions options, string? stateDirectory, ZoneHistory history, TimeProvider time,
        SigningLog log, Handover handover)
    {
        _log = log;
        KeyOperations = new LiveKeyOperations(null, time, null);
        if (stateDirectory is null) return;
        _keys = new KeyStore(Path.Join(stateDirectory, KeyFolder), time.GetUtcNow);
        _parent = new ParentCheck(PrimaryNetwork.Sockets, time);
        _copies = new SignedCopies(Path.Join(stateDirectory, SignedFolder), options.ZoneLimits);
        Service = new ZoneSigning(_keys, _copies, time, log, new ZoneSigningOptions { Limits = options.ZoneLimits })
        {
            Parent = _parent, Handover = handover,
        };
        KeyOperations = new LiveKeyOperations(Service, time, Path.Join(stateDirectory, KeyFolder));
        Service.Restored += history.Seed;
        Use(options);
    }

    /// <summary>The signing service; null without a state directory.</summary>
    public ZoneSigning? Service { get; }

    /// <summary>The commands of an operator for its keys.</summary>
    public IKeyOperations KeyOperations { get; }

    /// <summary>Sets the policies of the settings.</summary>
    public void Use(ServerOptions options)
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
        registry.Changed += change => WarnOfUnsigned(change.Added);
        if (Service is not null) Service.Follow(registry);
        else registry.Signer = new NoSigner();
    }

    /// <summary>Completes when no zone waits to be signed: each has been, or cannot be.</summary>
    public Task WhenIdle() => Service?.WhenIdle() ?? Task.CompletedTask;

    /// <summary>Another process signs the zones from now on.</summary>
    public void HandOver() => _copies?.HandOver();

    public void Dispose()
    {
        Service?.Dispose();
        _parent?.Dispose();
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
