namespace Dns.Replication.Update;

/// <content>Commands of the operator.</content>
internal sealed partial class DynamicZone
{
    // The digest of a large zone takes longer than the gate may be held; this is the number of tries without it.
    private const int DigestTries = 3;

    /// <summary>Writes the served version over the file, and removes its changes from the journal.</summary>
    /// <param name="write">Writes a version to the file; it is on disk on return. Throws IOException.</param>
    /// <returns>The version; null if the file is up to date and was left unchanged.</returns>
    /// <exception cref="IOException">The write failed; the journal still has the changes.</exception>
    internal Zone? Synchronise(ZoneSlot slot, Action<Zone> write)
    {
        if (Mark(slot) is not (Zone zone, JournalBase at))
        {
            lock (_gate) Unsaved = null;
            return null;
        }
        write(zone);
        lock (_gate)
        {
            if (_raiseTo is not null) EndLoss(slot, zone);
            else if (_journal!.Count > 0) StartFrom(at);
            KeepBase(zone, at);
            (_fileBase, Conflict, Loss, Unsaved, _raiseTo) = (at, null, null, null, null);
            if (slot.Failure is not null) slot.Publish(slot.SourceZone!, owner.Now);
        }
        return zone;
    }

    /// <summary>Writes everything out, and refuses updates from now on.</summary>
    internal Zone? Freeze(ZoneSlot slot, Action<Zone> write)
    {
        bool wasFrozen = IsFrozen;
        lock (_gate) IsFrozen = true;
        try
        {
            Zone? written = Synchronise(slot, write);
            lock (_gate)
                if (slot.SourceZone is { } version) Frozen = (version.Serial, new WeakReference<Zone>(version));
            return written;
        }
        catch (IOException)
        {
            lock (_gate) IsFrozen = wasFrozen;
            throw;
        }
    }

    /// <summary>Accepts the file as it is, and permits updates again; changes that it lacks are dropped.</summary>
    /// <param name="read">Reads the file, which calls <see cref="PublishRead"/>. False if it is invalid.</param>
    internal ThawResult Thaw(Func<bool> read)
    {
        lock (_gate)
        {
            // Acknowledged changes are only dropped if the file may have been edited.
            if (!IsFrozen && Conflict is null) return ThawResult.NotFrozen;
            _takesFile = true;
        }
        bool isTaken = false;
        try
        {
            isTaken = read();
        }
        finally
        {
            lock (_gate)
            {
                _takesFile = false;
                if (isTaken) (IsFrozen, Frozen) = (false, null);
            }
        }
        return isTaken ? ThawResult.Thawed : ThawResult.FileRefused;
    }

    /// <summary>The last changes of the journal, oldest first.</summary>
    internal IReadOnlyList<ZoneDelta> ReadJournal(int most)
    {
        lock (_gate)
        {
            OpenJournal();
            return [.. _journal!.Read(Math.Max(0, _journal.Count - most))];
        }
    }

    /// <summary>Marks in the journal the version about to be written; null if the file is up to date.</summary>
    private (Zone Zone, JournalBase At)? Mark(ZoneSlot slot)
    {
        for (int tries = 0; ; tries++)
        {
            Zone zone = slot.SourceZone ?? throw new IOException("there is no data of the zone");
            UInt128 digest = tries < DigestTries ? ZoneDigest.Of(zone) : 0;
            lock (_gate)
            {
                if (tries < DigestTries && !ReferenceEquals(zone, slot.SourceZone)) continue;
                zone = slot.SourceZone;
                if (tries == DigestTries) digest = ZoneDigest.Of(zone);
                OpenJournal();
                // Without a mark, which would be written over the damage that a start has to find.
                if (_raiseTo is not null) return Raised(zone);
                if (_journal!.Count == 0 && !LacksJournal(zone))
                {
                    Loss = null;
                    return null;
                }
                JournalBase at = new(zone.Serial, digest);
                _journal.AddMark(at);
                return (zone, at);
            }
        }
    }
}
