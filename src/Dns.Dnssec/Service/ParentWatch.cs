namespace Dns.Dnssec.Service;

/// <summary>
/// The records of a zone at its parent: queries them while the zone works, and notifies the parent. An answer may come
/// at any time; all else belongs to the thread that works on the zone.
/// </summary>
internal sealed class ParentWatch(SignedZone zone, ZoneSigning owner)
{
    // During a change the parent is queried as often as it may have changed, else once a day.
    private static readonly TimeSpan LeastWait = TimeSpan.FromSeconds(1), MostWait = TimeSpan.FromHours(1);
    private static readonly TimeSpan Otherwise = TimeSpan.FromDays(1);

    private ParentAnswer? _answer;
    private DateTimeOffset? _queryDue, _notifyDue;
    private volatile bool _isQueried;
    private KeyPlan? _notified;

    /// <summary>The last answer; null = none.</summary>
    internal ParentReport? Last { get; private set; }

    /// <summary>When a query or a notification is due; null = none.</summary>
    internal DateTimeOffset? Due => SignedZone.Earlier(_queryDue, _notifyDue);

    /// <summary>Whether the parent has answered, or an operator has, since the zone lost its policy.</summary>
    internal bool IsKnown { get; set; }

    /// <summary>Queries at once, since the last observation does not apply any more.</summary>
    internal void QuerySoon() => _queryDue = null;

    /// <summary>Queries and notifies at once, since the clock was set.</summary>
    internal void Reset() => (_queryDue, _notifyDue) = (null, null);

    /// <summary>Queries the parent, and notifies it while it has not followed the served CDS records.</summary>
    /// <param name="plan">The served plan; null = none yet.</param>
    internal void Run(DnssecPolicy policy, KeyPlan? plan)
    {
        Query(policy);
        Notify(policy, plan);
    }

    private void Notify(DnssecPolicy policy, KeyPlan? plan)
    {
        if (plan is null || plan.Cds.Count == 0 && !plan.IsCdsDelete || policy.ParentResolver is not { } resolver)
        {
            (_notifyDue, _notified) = (null, null);
            return;
        }
        bool isNew = _notified is null || !_notified.Cds.Equals(plan.Cds) || _notified.IsCdsDelete != plan.IsCdsDelete;
        if (!isNew && owner.Now < _notifyDue) return;
        (_notifyDue, _notified) = (owner.Now + Otherwise, plan);
        owner.OnParentNotifying(zone.Slot, resolver);
    }

    private void Query(DnssecPolicy policy)
    {
        if (policy.ParentResolver is not { } resolver || owner.Parent is not { } parent)
        {
            _queryDue = null;
            return;
        }
        if (_isQueried || _queryDue > owner.Now) return;
        _isQueried = true;
        _queryDue = null;
        parent.QueryDs(zone.Slot.Name, resolver, TakeAnswer);
    }

    private void TakeAnswer(ParentAnswer answer)
    {
        Volatile.Write(ref _answer, answer);
        _isQueried = false;
        owner.Queue(zone);
    }

    /// <summary>
    /// Whether a zone that loses its policy has to wait for an answer of its parent, which may have got DS records
    /// since the last one, also early ones that the server did not request.
    /// </summary>
    /// <param name="former">The policy of its keys; it may have another one by now.</param>
    /// <param name="seen">What the parent has answered since the last step; null = nothing.</param>
    internal bool IsAwaited(bool leaves, ZoneKeys keys, DnssecPolicy former, ParentDs? seen)
    {
        if (leaves && !keys.IsLeaving) _queryDue = null;
        IsKnown = leaves && (IsKnown || seen is not null);
        return leaves && !IsKnown && owner.Parent is not null && (keys.Policy ?? former).ParentResolver is not null;
    }

    /// <summary>Schedules the next query by what was observed.</summary>
    internal void Schedule(bool leaves, ZoneKeys keys, DnssecPolicy policy)
    {
        bool waits = leaves && !IsKnown || keys.SeenDs is not { } seen || !seen.Equals(keys.WantedDs);
        TimeSpan delay = policy.ParentDelay;
        _queryDue =
            owner.Now + (!waits ? Otherwise : delay < LeastWait ? LeastWait : delay > MostWait ? MostWait : delay);
    }

    /// <summary>The parent's answer since the last call; null = none.</summary>
    /// <param name="publicOf">Reads a key of the zone.</param>
    internal ParentDs? Take(bool leaves, ZoneKeys keys, DnssecPolicy policy, Func<KeyId, Dnskey> publicOf)
    {
        if (Interlocked.Exchange(ref _answer, null) is not { } answer) return null;
        Schedule(leaves, keys, policy);
        if (answer.Records is not { } records)
        {
            Last = new ParentReport(owner.Now, null, policy.ParentResolver, answer.Failure);
            return null;
        }
        List<KeyId> named = [];
        int unknownKeys = 0;
        foreach (byte[] record in records)
        {
            KeyRecord? key = keys.Keys
                .FirstOrDefault(key => !key.IsRemoved && publicOf(key.Id).IsNamedBy(zone.Slot.Name.Octets, record));
            if (key is null) unknownKeys++;
            else named.Add(key.Id);
        }
        ParentDs found = new(KeyIds.Of(named), answer.Ttl) { UnknownKeys = unknownKeys };
        Last = new ParentReport(owner.Now, found, policy.ParentResolver, null);
        return found;
    }
}
