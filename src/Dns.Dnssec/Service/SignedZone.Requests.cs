namespace Dns.Dnssec.Service;

/// <content>Operator requests for its keys.</content>
internal sealed partial class SignedZone
{
    private static readonly KeyReply Busy = new(KeyReplyKind.Busy);
    private static readonly TimeSpan GateTimeout = TimeSpan.FromSeconds(5);

    private KeyReply NotLoaded =>
        _status.Error is { } error ? new KeyReply(KeyReplyKind.Failed) { Error = error } : Busy;

    internal bool TryChangeKeys(Func<ZoneKeys, DnssecPolicy, ZoneKeys?> change, out KeyReply reply)
    {
        reply = Busy;
        if (!_gate.TryEnter(GateTimeout)) return false;
        try
        {
            reply = NotLoaded;
            if (_loaded != Loaded.All || !MayWrite) return false;
            // A key may have been imported just before.
            _owner.Keys.Invalidate();
            if (change(_keys.Keys, _keys.Policy) is not { } next) return true;
            bool isLeaving = _keys.Keys.IsLeaving;
            _keys.Save(next);
            // Of a leaving zone, only the parent's state can be confirmed.
            if (isLeaving) _parent.IsKnown = true;
            UpdateStatus(_status.Error);
        }
        finally
        {
            _gate.Exit();
        }
        _owner.Queue(this);
        return true;
    }

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
            _keys.Bundle.Use(next);
        }
        finally
        {
            _gate.Exit();
        }
        _owner.Queue(this);
        return true;
    }

    private OfflineZone? OfflineNow() => _loaded == Loaded.All && MayWrite && (_versions.From ?? _wanted) is { } source
        ? _keys.OfflineNow(source, _wantedPolicy ?? _keys.Policy, isSigned: _versions.Signed is not null) : null;
}
