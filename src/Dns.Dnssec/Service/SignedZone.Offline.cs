namespace Dns.Dnssec.Service;

/// <content>An offline KSK: key sets and their signatures come in bundles.</content>
internal sealed partial class SignedZone
{
    private static readonly TimeSpan WarnEvery = TimeSpan.FromDays(1);

    private KeySets? _bundle;
    private string? _bundleFault, _offlineFault;
    private DateTimeOffset? _warnDue;

    private IReadOnlyList<SlotKeys> Slots { get; set; } = [];

    internal bool TryMakeRequest(DateTimeOffset? from, DateTimeOffset until, out KeySets? request, out KeyReply reply,
        bool replacesZsk = false)
    {
        (request, reply) = (null, Busy);
        if (!_gate.TryEnter(GateTimeout)) return false;
        try
        {
            reply = NotLoaded;
            if (OfflineNow() is not { } zone) return false;
            _owner.Keys.Invalidate();
            return KeySetRequests.TryMake(_owner.Keys, zone, from, until, _owner.Now, out request, out reply,
                replacesZsk);
        }
        finally
        {
            _gate.Exit();
        }
    }

    internal bool TryLoadBundle(KeySets bundle, bool mayShorten, out KeyReply reply)
    {
        reply = Busy;
        if (!_gate.TryEnter(GateTimeout)) return false;
        try
        {
            reply = NotLoaded;
            if (OfflineNow() is not { } zone) return false;
            if (!KeySetRequests.TryLoad(_owner.Keys, zone, bundle, _owner.Now, out KeySets next, out reply, mayShorten))
                return false;
            _owner.Keys.SaveBundle(next);
            Use(next);
        }
        finally
        {
            _gate.Exit();
        }
        _owner.Queue(this);
        return true;
    }

    private OfflineZone? OfflineNow()
    {
        if (!_isLoaded || _isHeld || IsGone || (_from ?? _wanted) is not { } source) return null;
        DnssecPolicy policy = _wantedPolicy ?? _policy;
        TimeSpan longest = _signed is null ? ServedKeysReader.LongestTtl(source) : _longestTtl;
        return new OfflineZone(_slot.Name, policy, _keys, _bundle,
            TimeSpan.FromSeconds(DnskeyTtlOf(source, policy)), longest);
    }

    private void LoadBundle()
    {
        try
        {
            Use(_owner.Keys.LoadBundle(_slot.Name));
        }
        catch (IOException error)
        {
            // The version served before has the signatures of its slot.
            _bundleFault = error.Message;
        }
    }

    private void Use(KeySets? bundle)
    {
        (_bundle, _bundleFault, _warnDue) = (bundle, null, null);
        Slots = [.. (bundle?.Slots ?? []).Select(SlotKeys.Of)];
    }

    /// <summary>Checks the bundles, and reports when the last one will expire.</summary>
    private void NoteFault(KeyStep step)
    {
        _offlineFault = step.Fault is null ? null : _bundleFault ?? KeyText.Of(step.Fault);
        if (_bundle is not { Slots.Count: > 0 } bundle || !_keys.Policy!.OfflineKsk || !step.Plan.IsSigned) return;
        _warnDue ??= bundle.WarnFrom;
        if (_owner.Now < _warnDue) return;
        _warnDue = _owner.Now + WarnEvery;
        _owner.Observer.OnBundleEnding(_slot.Name, bundle.End);
    }

    private SigningPlan PlanOf(KeyPlan plan, KeySlot set) => With(plan, new SigningPlan
    {
        ZoneSigners = [],
        Published = set.Keys,
        KeySigners = [],
        KeySetSignatures = set.Signatures,
        DnskeyTtl = set.Ttl,
        // Those of a slot that comes late wait until caches know its keys.
        Cds = plan.Cds.Equals(set.CdsKeys) ? set.Cds : [],
        Cdnskey = plan.Cds.Equals(set.CdsKeys) ? set.Cdnskey : [],
    });

    /// <summary>A plan's slot; if the bundle is lost, that of the version served now or before the start.</summary>
    private KeySlot SlotOf(DateTimeOffset start, KeyPlan plan)
    {
        if (_bundle?.Slots.FirstOrDefault(slot => slot.Start == start) is { } found) return found;
        if (_signed is not null && KeySlot.Of(_signed, start) is { Signatures.Count: > 0 } served
            && KeyIds.Of(served.Keys.Select(KeySlot.IdOf)).Equals(plan.Published)) return served;
        throw new SigningFailedException(
            _bundleFault ?? $"the bundle has no slot {start:u} any more: expected it back from a copy");
    }

    private Dnskey PublicOf(KeyId id)
    {
        if (_bundle?.Find(id) is { } found) return found;
        if (_plan?.Published.FirstOrDefault(key => KeySlot.IdOf(key) == id) is { } published) return published;
        return Open(id).Public;
    }
}
