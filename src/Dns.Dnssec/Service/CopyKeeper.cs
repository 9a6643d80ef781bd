namespace Dns.Dnssec.Service;

/// <summary>
/// The signed versions of a zone on disk: written after they are served, several with one flush. Thread-safe.
/// </summary>
internal sealed class CopyKeeper(SignedZone zone, ZoneSigning owner)
{
    private readonly Lock _gate = new();
    private readonly Lock _saving = new();
    private List<ZoneDelta> _unsaved = [];
    private Zone? _newest;
    private bool _isWhole;
    private int _failures;
    private DateTimeOffset? _due;
    private volatile string? _fault;

    /// <summary>Why versions cannot be written; null if they can.</summary>
    internal string? Fault => _fault;

    /// <summary>The serial of the saved version; null = none that is known.</summary>
    internal uint? SavedSerial
    {
        get
        {
            lock (_gate) return field;
        }
        set
        {
            lock (_gate) field = value;
        }
    }

    /// <summary>Whether all kept versions are on disk.</summary>
    internal bool IsSaved
    {
        get
        {
            lock (_gate) return _newest is null;
        }
    }

    /// <summary>Queues a version for writing.</summary>
    internal void Keep(Zone signed, ZoneDelta? delta)
    {
        lock (_gate)
        {
            _newest = signed;
            if (delta is null)
            {
                _isWhole = true;
                _unsaved = [];
            }
            else if (!_isWhole) _unsaved.Add(delta);
        }
        owner.QueueSaving(zone);
    }

    /// <summary>Writes a version that is not served yet.</summary>
    internal void SaveWhole(Zone version)
    {
        lock (_saving) owner.Kept.Save(version, []);
        SavedSerial = version.Serial;
    }

    /// <summary>Deletes the saved version of a zone that has ended.</summary>
    internal void Delete()
    {
        lock (_saving) owner.Kept.Delete(zone.Slot.Name);
    }

    /// <summary>Tries again to write versions that could not be written; returns when it is due next.</summary>
    internal DateTimeOffset? Retry()
    {
        lock (_gate)
        {
            if (_due is not { } due || due > owner.Now) return _due;
            _due = null;
        }
        owner.QueueSaving(zone);
        return null;
    }

    /// <summary>Writes unsaved versions. After a failure the next write is a whole version.</summary>
    internal void Save()
    {
        lock (_saving)
        {
            // What is not saved when the zone ends stays so: the next start continues above it.
            if (!zone.MayWrite) return;
            Zone? newest;
            List<ZoneDelta> deltas;
            lock (_gate)
            {
                (newest, deltas) = (_newest, _isWhole ? [] : _unsaved);
                (_newest, _unsaved, _isWhole) = (null, [], false);
            }
            if (newest is null) return;
            try
            {
                owner.Kept.Save(newest, deltas);
                SavedSerial = newest.Serial;
                EndFault();
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                Fail(newest, error);
            }
        }
    }

    private void Fail(Zone newest, Exception error)
    {
        string fault = $"serial {newest.Serial} cannot be put on disk: {error.Message}";
        lock (_gate)
        {
            (_newest, _isWhole, _unsaved) = (_newest ?? newest, true, []);
            _due = owner.Now + SignedZone.RetryAfter(++_failures);
        }
        if (_fault is null) owner.Observer.OnFailed(zone.Slot.Name, fault);
        _fault = fault;
        owner.Queue(zone);
    }

    private void EndFault()
    {
        lock (_gate) (_failures, _due) = (0, null);
        if (_fault is null) return;
        _fault = null;
        owner.Observer.OnRecovered(zone.Slot.Name);
        owner.Queue(zone);
    }
}
