namespace Dns.Replication.Update;

/// <content>A damaged journal: lost updates, and their serials, which secondaries may have.</content>
internal sealed partial class DynamicZone
{
    /// <summary>Added to the serial before the changes, if their number is unknown.</summary>
    internal const uint MostUnknownVersions = 100_000;

    // A journal has its first change when it gets its name, and goes after the kept version: one without changes, or a
    // kept version alone, had changes that served versions have.
    private void TakeLossOfAll(JournalBase file)
    {
        JournalBase from = _journal!.Base ?? TryReadKeptBase() ?? file;
        TakeLoss(JournalLoss.OfAll(unchecked(from.Serial + MostUnknownVersions)));
    }

    private void TakeLoss(JournalLoss loss)
    {
        owner.Observer.OnLoss(name, _journal!.Path, loss);
        // An incomplete end was never acknowledged nor served.
        if (loss.SerialBound is not { } serial) return;
        _raiseTo = serial;
        Loss = $"{_journal.Path}: {loss}; the zone continues at serial {serial} or above; \"dnsd zone sync {name}\" "
            + "removes this line";
    }

    /// <summary>Refuses updates after a loss that is found while the zone is served, as after a takeover.</summary>
    private void RequireRaised()
    {
        if (_raiseTo is not null)
            throw new JournalException(JournalFault.Damaged,
                $"{_journal!.Path}: it is damaged: \"dnsd zone sync {name}\" writes out what is served");
    }

    /// <summary>The served version with a serial above that of any lost one.</summary>
    private (Zone Zone, JournalBase At) Raised(Zone served)
    {
        if (RaiseOf(served) is { } raise) served = Apply(ReplayFrom(served), [raise]);
        return (served, new JournalBase(served.Serial, ZoneDigest.Of(served)));
    }

    /// <summary>Serves that version, which is on disk, and removes the journal, which leads to others.</summary>
    private void EndLoss(ZoneSlot slot, Zone raised)
    {
        owner.Files.Delete(KeptPath);
        _journal!.Reset();
        if (!ReferenceEquals(slot.SourceZone, raised))
            slot.Publish(raised, owner.Now, slot.SourceZone is { } served ? RaiseOf(served) : null);
    }

    /// <summary>After a loss: a change of the serial alone, above that of any lost version; null for none.</summary>
    private ZoneDelta? RaiseOf(Zone last)
    {
        if (_raiseTo is not { } serial || !SerialNumber.IsGreater(serial, last.Serial) ||
            !last.ApexNode.TryFind(RRType.SOA, out RRset soa))
            return null;
        byte[] rdata = soa.First.ToArray();
        BinaryPrimitives.WriteUInt32BigEndian(rdata.AsSpan(rdata.Length - UpdatedName.SerialFromEnd), serial);
        ZoneDeltaBuilder builder = new(name, last.Serial);
        builder.Remove(last.Apex, RRType.SOA, soa.First, soa.Ttl);
        builder.Add(last.Apex, RRType.SOA, soa.Ttl, rdata);
        return builder.Build();
    }

    /// <summary>The same if the loss has left no change: the journal starts again from the file.</summary>
    private void RaiseFromFile(Zone read, JournalBase file)
    {
        if (RaiseOf(read) is { } raise)
        {
            _journal!.Replace(file, [raise]);
            owner.Files.Delete(KeptPath);
        }
        // The header may be that of a version before this file.
        else if (_journal!.Octets > 0 && owner.Handover.MayWrite) _journal.Reset();
        _raiseTo = null;
    }
}
