namespace Dns.Dnssec.Service;

/// <content>The zone's records at its parent.</content>
internal sealed partial class SignedZone
{
    // During a change the parent is queried as often as it may have changed, else once a day.
    private static readonly TimeSpan LeastWait = TimeSpan.FromSeconds(1), MostWait = TimeSpan.FromHours(1);
    private static readonly TimeSpan Otherwise = TimeSpan.FromDays(1);

    private ParentAnswer? _answer;
    private DateTimeOffset? _parentDue;
    private string? _parentText;
    private volatile bool _isParentQueried;

    // Whether the parent has answered since the zone lost its policy.
    private bool _isParentKnown;

    private DateTimeOffset? _notifyDue;
    private KeyPlan? _notified;

    /// <summary>Requests a notification of the parent while it has not followed the served CDS records.</summary>
    private void NotifyParent()
    {
        if (_step is not { Plan: { } plan } || plan.Cds.Count == 0 && !plan.IsCdsDelete ||
            _policy.ParentResolver is not { } resolver)
        {
            (_notifyDue, _notified) = (null, null);
            return;
        }
        bool isNew = _notified is null || !_notified.Cds.Equals(plan.Cds) || _notified.IsCdsDelete != plan.IsCdsDelete;
        if (!isNew && owner.Now < _notifyDue) return;
        (_notifyDue, _notified) = (owner.Now + Otherwise, plan);
        owner.OnParentNotifying(slot, resolver);
    }

    /// <summary>
    /// Whether a zone that loses its policy has to wait for an answer of its parent, which may have got DS records
    /// since the last one, also early ones that the server did not request.
    /// </summary>
    private bool AwaitsParent(DnssecPolicy? wanted, ParentDs? parent)
    {
        if (wanted is null && !_keys.IsLeaving) _parentDue = null;
        _isParentKnown = wanted is null && (_isParentKnown || parent is not null);
        return wanted is null && !_isParentKnown && owner.Parent is not null &&
            (_keys.Policy ?? _policy).ParentResolver is not null;
    }

    /// <summary>Queries the parent when due.</summary>
    private void CheckParent()
    {
        if (_policy.ParentResolver is not { } resolver || owner.Parent is not { } parent)
        {
            _parentDue = null;
            return;
        }
        if (_isParentQueried || _parentDue > owner.Now) return;
        _isParentQueried = true;
        _parentDue = null;
        parent.QueryDs(slot.Name, resolver, TakeAnswer);
    }

    private void TakeAnswer(ParentAnswer answer)
    {
        Volatile.Write(ref _answer, answer);
        _isParentQueried = false;
        owner.Queue(this);
    }

    /// <summary>Schedules the next query by what was observed.</summary>
    private void ScheduleParent()
    {
        bool waits = _wantedPolicy is null && !_isParentKnown ||
            _keys.SeenDs is not { } seen || !seen.Equals(_keys.WantedDs);
        TimeSpan delay = _policy.ParentPropagationDelay ?? _policy.PropagationDelay;
        _parentDue =
            owner.Now + (!waits ? Otherwise : delay < LeastWait ? LeastWait : delay > MostWait ? MostWait : delay);
    }

    /// <summary>The parent's answer since the last call; null = none.</summary>
    private ParentDs? TakeParent()
    {
        if (Interlocked.Exchange(ref _answer, null) is not { } answer) return null;
        ScheduleParent();
        if (answer.Records is not { } records)
        {
            _parentText = $"{_policy.ParentResolver} could not tell at {owner.Now:u}: {answer.Failure}";
            return null;
        }
        List<KeyId> named = [];
        int unknownKeys = 0;
        foreach (byte[] record in records)
        {
            KeyRecord? key = _keys.Keys
                .FirstOrDefault(key => !key.IsRemoved && PublicOf(key.Id).IsNamedBy(slot.Name.Octets, record));
            if (key is null) unknownKeys++;
            else named.Add(key.Id);
        }
        ParentDs found = new(KeyIds.Of(named), answer.Ttl) { UnknownKeys = unknownKeys };
        string others = unknownKeys > 0 ? $", and {unknownKeys} of no key of this zone" : "";
        _parentText = found.Keys.Count + unknownKeys == 0 ? $"no DS records at {owner.Now:u}"
            : $"DS records of {(found.Keys.Count > 0 ? "key " + found.Keys.Tags() : "no key")}{others} at " +
                $"{owner.Now:u}";
        return found;
    }
}
