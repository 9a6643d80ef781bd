namespace Dns.Dnssec.Service;

/// <content>Signed versions on disk: written after they are served, several with one flush.</content>
internal sealed partial class SignedZone
{
    private readonly Lock _unsavedGate = new();
    private readonly Lock _saving = new();
    private List<ZoneDelta> _unsaved = [];
    private Zone? _newest;
    private bool _isWhole;
    private int _failedSaves;
    private DateTimeOffset? _saveDue;
    private volatile string? _saveFault;

    /// <summary>The serial of the saved version; null = none that is known.</summary>
    private uint? SavedSerial
    {
        get
        {
            lock (_unsavedGate) return field;
        }
        set
        {
            lock (_unsavedGate) field = value;
        }
    }

    /// <summary>Whether all served versions are on disk, also those before the start.</summary>
    internal bool IsSaved
    {
        get
        {
            // Until a version above the lost ones is saved, the next start has to continue above them, too.
            if (_isHeld || _lostSerial is not null || !_isCopyLoaded && owner.MayLackVersions(slot.Name)) return false;
            lock (_unsavedGate) return _newest is null;
        }
    }

    /// <summary>Queues a version for writing.</summary>
    private void Keep(Zone signed, ZoneDelta? delta)
    {
        lock (_unsavedGate)
        {
            _newest = signed;
            if (delta is null)
            {
                _isWhole = true;
                _unsaved = [];
            }
            else if (!_isWhole) _unsaved.Add(delta);
        }
        owner.QueueSaving(this);
    }

    /// <summary>Writes a version that is not served yet.</summary>
    private void SaveWhole(Zone version)
    {
        lock (_saving) owner.Kept.Save(version, []);
        SavedSerial = version.Serial;
    }

    /// <summary>Deletes the saved version and key state of a zone for which <see cref="End"/> was called.</summary>
    internal void DeleteKept()
    {
        lock (_saving) owner.Kept.Delete(slot.Name);
        try
        {
            owner.Keys.DeleteState(slot.Name);
        }
        catch (IOException)
        {
            // The next start finds that the zone needs no signatures.
        }
    }

    /// <summary>Tries again to write versions that could not be written.</summary>
    private DateTimeOffset? RetrySaving()
    {
        lock (_unsavedGate)
        {
            if (_saveDue is not { } due || due > owner.Now) return _saveDue;
            _saveDue = null;
        }
        owner.QueueSaving(this);
        return null;
    }

    private void Fail(Zone newest, Exception error)
    {
        string fault = $"serial {newest.Serial} cannot be put on disk: {error.Message}";
        lock (_unsavedGate)
        {
            (_newest, _isWhole, _unsaved) = (_newest ?? newest, true, []);
            _saveDue = owner.Now + RetryAfter(++_failedSaves);
        }
        if (_saveFault is null) owner.Observer.OnFailed(slot.Name, fault);
        _saveFault = fault;
        owner.Queue(this);
    }

    private void EndFault()
    {
        lock (_unsavedGate) (_failedSaves, _saveDue) = (0, null);
        if (_saveFault is null) return;
        _saveFault = null;
        owner.Observer.OnRecovered(slot.Name);
        owner.Queue(this);
    }

    /// <summary>Writes unsaved versions. After a failure the next write is a whole version.</summary>
    internal void Save()
    {
        lock (_saving)
        {
            // What is not saved when the zone ends stays so: the next start continues above it.
            if (IsGone || _isHeld) return;
            Zone? newest;
            List<ZoneDelta> deltas;
            lock (_unsavedGate)
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
}
