namespace Dns.Dnssec.Policies;

/// <summary>A step of a <see cref="KeyRollover"/> in progress.</summary>
internal sealed partial class KeyRolloverStepper
{
    /// <summary>Each act advances one key: more than this number is a bug, and must not loop forever.</summary>
    private const int MostActs = 10 * KeyRollover.MaxKeys;

    private readonly DnssecPolicy _policy;
    private readonly bool _leaves;
    private readonly ZoneFacts _facts;
    private readonly DateTimeOffset _now;
    private bool _asksByHand;
    private readonly List<KeyNeed> _needs = [];
    private readonly List<KeyWait> _waits = [];
    private readonly List<KeyEvent> _events = [];
    private KeyRecord[] _targets = [];
    private ZoneKeys _keys;

    internal KeyRolloverStepper(DnssecPolicy? policy, ZoneKeys keys, ZoneFacts facts, DateTimeOffset now, TimeSpan jump)
    {
        (_policy, _leaves) = (policy ?? keys.Policy ?? DnssecPolicy.Default, policy is null);
        (_facts, _now) = (facts with { Served = OwnOf(facts.Served, keys) }, now);
        _keys = keys.Shift(time => time + jump < now ? time + jump : now);
    }

    /// <summary>
    /// A served version without the keys of other signers (RFC 8901): published from the source, they sign nothing
    /// here, and no step depends on them.
    /// </summary>
    private static ServedKeys OwnOf(ServedKeys served, ZoneKeys keys)
    {
        KeyIds others = KeyIds.Of(served.Keys.Where(id => keys.Find(id) is null && !served.KeySigners.Contains(id)
            && !served.SignerSets.Any(set => set.Contains(id))));
        return others.Count == 0 ? served : served with { Keys = served.Keys.Without(others) };
    }

    /// <summary>The time until all caches know a published key (Ipub of RFC 7583).</summary>
    private TimeSpan PublicationInterval => _facts.Served.KeysTtl + _policy.PropagationDelay;

    private RolloverSafety Safety => new(_keys, _policy, _targets);

    /// <summary>Whether the decided DNSKEY RRset is the served one.</summary>
    private bool IsServed =>
        _keys.Published.Equals(_facts.Served.Keys) && _keys.KeySigners.Equals(_facts.Served.KeySigners);

    internal KeyStep Take()
    {
        ObserveServed();
        if (_facts.Parent is { } seen) Observe(seen);
        Forget();
        bool notifies = ObserveCds();
        if (!IsOffline)
        {
            if (!_leaves) _keys = _keys with { Slot = null };
            Choose();
        }
        if (IsServed)
        {
            int acts = 0;
            do _waits.Clear();
            while ((IsOffline ? ActOffline() : _leaves ? ActToLeave() : Act()) && ++acts < MostActs);
        }
        else
        {
            _waits.Add(new KeyWait(_keys.Published, KeyAction.Serve, null, KeyConditionKind.KeysServed));
        }
        OfflineFault? fault = FindOfflineFault();
        if (IsOffline) AddSlots();
        else AddRollovers();
        AddPurges();
        if (_leaves) DropRequests();
        _keys = _keys with
            { IsLeaving = _leaves, IsElsewhere = false, Policy = _leaves ? _keys.Policy : _policy };
        return new KeyStep(_keys, KeyRollover.PlanOf(_keys))
        {
            Needs = _needs, Waits = _waits, Events = _events, NotifiesParent = notifies || _asksByHand, Fault = fault,
        };
    }

    private void Note(KeyEventKind kind, KeyIds keys) => _events.Add(new KeyEvent(kind, keys));

    /// <summary>Decides which keys stay, which retire, and which are missing.</summary>
    private void Choose()
    {
        CancelAlgorithmRequest();
        if (_leaves)
        {
            _targets = [.. _keys.Keys.Where(key => key is { IsRemoved: false, IsRetiring: false })];
            return;
        }
        DnssecAlgorithm algorithm = _keys.WantedAlgorithm ?? _policy.Algorithm;
        List<KeyRecord> targets = [];
        foreach (KeyRole role in _policy.Roles)
            if (NewestOf(role, algorithm) is { } target && !RollsOver(target)) targets.Add(target);
        foreach (KeyRecord key in _keys.Keys)
            if (key is { IsRemoved: false, IsRetiring: false } && !targets.Contains(key)) Retire(key);
        int live = _keys.Keys.Count(key => !key.IsRemoved);
        foreach (KeyRole role in _policy.Roles)
        {
            if (targets.Exists(target => target.Role == role)) continue;
            if (live + _needs.Count < KeyRollover.MaxKeys) _needs.Add(new KeyNeed(role, algorithm));
            else _waits.Add(new KeyWait(KeyIds.None, KeyAction.Make, null, KeyConditionKind.KeysRemoved));
        }
        _targets = [.. targets];
    }

    private void CancelAlgorithmRequest()
    {
        if (_keys.WantedAlgorithm is null || _leaves || _keys.PolicyAlgorithm == _policy.Algorithm) return;
        _keys = _keys with { WantedAlgorithm = null, PolicyAlgorithm = null };
    }

    /// <summary>
    /// Ends requested rollovers with signing; a zone that is signed again later has the keys of its policy. While keys
    /// of a requested algorithm are in use, a policy that comes back keeps them.
    /// </summary>
    private void DropRequests()
    {
        _keys = _keys with { WantsKsk = false, WantsZsk = false };
        if (_keys.Keys.Any(key => !key.IsRemoved && key.Id.Algorithm == _keys.WantedAlgorithm)) return;
        _keys = _keys with { WantedAlgorithm = null, PolicyAlgorithm = null };
    }

    private KeyRecord? NewestOf(KeyRole role, DnssecAlgorithm algorithm) => _keys.Keys
        .Where(
            key => key is { IsRemoved: false, IsRetiring: false } && key.Role == role && key.Id.Algorithm == algorithm)
        .MaxBy(key => (key.Created, key.Published ?? DateTimeOffset.MaxValue));

    /// <summary>Whether a key must be replaced now.</summary>
    private bool IsDue(KeyRecord key) => key.Activated is not null && !IsRolling(key.Role)
        && (IsWanted(key) || RolloverOf(key) is { } at && _now >= at && !IsDsMissing(key));

    /// <summary>Whether the rollover of a key is requested.</summary>
    private bool IsWanted(KeyRecord key) =>
        key.Role.SignsKeys() && _keys.WantsKsk || key.Role.SignsZone() && _keys.WantsZsk;

    /// <summary>Begins the rollover of a key that must be replaced now.</summary>
    private bool RollsOver(KeyRecord key)
    {
        if (!IsDue(key)) return false;
        _keys = _keys with
        {
            WantsKsk = _keys.WantsKsk && !key.Role.SignsKeys(),
            WantsZsk = _keys.WantsZsk && !key.Role.SignsZone(),
        };
        _events.Add(new KeyEvent(KeyEventKind.RollsOver, [key.Id]) { Role = key.Role });
        return true;
    }

    /// <summary>When the lifetime of a key requires the next one; null = never.</summary>
    private DateTimeOffset? RolloverOf(KeyRecord key)
    {
        TimeSpan lifetime = _policy.LifetimeOf(key.Role);
        if (lifetime == TimeSpan.Zero || key.Activated is not { } since) return null;
        TimeSpan lead = lifetime > PublicationInterval ? PublicationInterval : TimeSpan.Zero;
        return since + lifetime - lead;
    }

    /// <summary>A key whose DS record was never at the parent does not roll over by time.</summary>
    private bool IsDsMissing(KeyRecord key) => key.Role.SignsKeys() && _keys.SeenDs?.Contains(key.Id) != true;

    /// <summary>Whether another rollover of keys of this role is in progress.</summary>
    private bool IsRolling(KeyRole role) => _keys.RetiringWith(role).Count > 0;

    private void Retire(KeyRecord key) =>
        _keys = _keys.With([key.Id], retiring => retiring with { IsRetiring = true, Retired = _now });
}
