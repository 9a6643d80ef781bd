namespace Dns.Replication.Incoming;

/// <content>The order of the records, and their processing.</content>
public sealed partial class TransferReader
{
    private bool TakeRecord(scoped in RecordReader record, ReadOnlySpan<byte> rdata)
    {
        uint ttl = record.Ttl > int.MaxValue ? 0 : record.Ttl;
        bool isSoa = record.Type == RRType.SOA;
        if (isSoa && _ownerOctets != _query.Zone.Octets.Length)
            return Malformed($"an SOA at {NameText.ToText(Owner)}, below the apex");
        switch (_phase)
        {
            case Phase.FirstSoa:
                return isSoa ? TakeFirstSoa(rdata, ttl) : Malformed("another record than the SOA at the beginning");
            case Phase.SecondRecord
                when isSoa && _query.Type == RRType.IXFR && _have is not null && SerialOf(rdata) == _have.Serial:
                IsIncremental = true;
                // Once, since it visits all pages of the denial index.
                _haveBytes = _have.MemoryBytes;
                return BeginDelta(rdata);
            case Phase.SecondRecord:
                BeginWhole();
                return TakeOfWhole(record.Type, ttl, rdata);
            case Phase.Whole:
                return TakeOfWhole(record.Type, ttl, rdata);
            case Phase.Removed when isSoa:
                return TurnToAdded(rdata, ttl);
            case Phase.Removed:
                _delta!.Remove(Owner, record.Type, rdata);
                return IsDeltaInBounds();
            case Phase.Added when isSoa:
                return EndDelta(rdata);
            case Phase.Added:
                _storedOctets += CountNewNamesAbove() * EmptyNameOctets;
                _delta!.Add(Owner, record.Type, ttl, rdata);
                return IsDeltaInBounds();
            default:
                return Malformed("a record behind the last SOA");
        }
    }

    private bool TakeFirstSoa(ReadOnlySpan<byte> rdata, uint ttl)
    {
        (_firstSoa, _firstTtl, Serial) = (rdata.ToArray(), ttl, SerialOf(rdata));
        _phase = Phase.SecondRecord;
        return true;
    }

    /// <summary>Whether the single SOA received so far is the whole reply (RFC 1995 §4).</summary>
    private bool EndsWithOneSoa()
    {
        IsUpToDate = _query.Type == RRType.IXFR && _have is not null && !SerialNumber.IsGreater(Serial, _have.Serial);
        return IsUpToDate;
    }

    private void BeginWhole()
    {
        _phase = Phase.Whole;
        _builder = new ZoneBuilder(_query.Zone.Octets, limits: _zoneLimits);
        _builder.Add(_query.Zone.Octets, sameOwner: false, RRType.SOA, _firstTtl, _firstSoa);
    }

    private bool TakeOfWhole(RRType type, uint ttl, ReadOnlySpan<byte> rdata)
    {
        if (type == RRType.SOA)
        {
            _phase = Phase.Ended;
            return IsFirstSoa(rdata) || Malformed("a second SOA that is not the first");
        }
        int names = _builder!.NameCount;
        _builder.Add(Owner, IsSameOwner, type, ttl, rdata);
        // An owner of a hundred labels may make as many nodes.
        _storedOctets += Math.Max(0, _builder.NameCount - names - 1) * EmptyNameOctets;
        IsSameOwner = true;
        return true;
    }

    private bool BeginDelta(ReadOnlySpan<byte> soa)
    {
        if (_edited is null || SerialOf(soa) != _edited.Serial)
            return FailWith(TransferFailureKind.DoesNotFit,
                $"found a difference from serial {SerialOf(soa)}, expected {_edited?.Serial}");
        // Steps that each lead on may lead around to an older version.
        if (!SerialNumber.IsGreater(Serial, _have!.Serial))
            return FailWith(TransferFailureKind.Malformed,
                $"found differences to serial {Serial}, expected a greater one than {_have.Serial}");
        if (Versions.Count == MaxVersions)
            return FailWith(TransferFailureKind.DoesNotFit, $"found more than {MaxVersions:N0} differences");
        _phase = Phase.Removed;
        _delta = new ZoneDeltaBuilder(_query.Zone, _edited.Serial);
        // Our own SOA: the primary's may have names in another letter case.
        if (_edited.ApexNode.TryFind(RRType.SOA, out RRset own))
            _delta.Remove(_query.Zone.Octets, RRType.SOA, own.First);
        return true;
    }

    private bool TurnToAdded(ReadOnlySpan<byte> soa, uint ttl)
    {
        _deltaTo = SerialOf(soa);
        if (!SerialNumber.IsGreater(_deltaTo, _edited!.Serial))
            return FailWith(TransferFailureKind.Malformed,
                $"found a difference from serial {_edited.Serial} back to {_deltaTo}");
        _phase = Phase.Added;
        _delta!.Add(_query.Zone.Octets, RRType.SOA, ttl, soa);
        return true;
    }

    /// <summary>An SOA after added records starts the next delta, or ends the transfer.</summary>
    private bool EndDelta(ReadOnlySpan<byte> soa)
    {
        ZoneDelta delta = _delta!.Build();
        // What an edit allocates is held until all versions are published: nodes, and pages of the name table.
        long before = GC.GetAllocatedBytesForCurrentThread();
        ZoneEditResult result = ZoneEditor.From(_edited!, _zoneLimits).Apply(delta);
        if (!result.IsApplied) return FailWith(TransferFailureKind.DoesNotFit, result.Error.Message);
        // With the TTLs of what is removed: the journal of the copy is applied without the versions between.
        Versions.Add((ExactDelta.Of(_edited!, result.Zone, delta), result.Zone));
        _versionBytes += GC.GetAllocatedBytesForCurrentThread() - before;
        _edited = result.Zone;
        long most = MostFor(LeastVersionBytes);
        if (_versionBytes > most)
            return FailWith(TransferFailureKind.DoesNotFit,
                $"found differences whose versions take more than {most:N0} bytes");
        if (_deltaTo != Serial) return BeginDelta(soa);
        // Differences that are in bounds may add up from transfer to transfer.
        long bytes = _edited.MemoryBytes;
        if (bytes > 2 * _limits.MaxOctets && bytes > _haveBytes)
            return FailWith(TransferFailureKind.TooLarge,
                $"the zone would take {bytes:N0} bytes, twice what MaxOctets allows");
        _phase = Phase.Ended;
        return IsFirstSoa(soa) || Malformed("a last SOA that is not the first");
    }

    /// <summary>Counts a record in its stored form: a compressed name of two octets may have 255.</summary>
    private bool IsInBounds(int rdataOctets)
    {
        _storedOctets += RecordReader.FixedOctets + rdataOctets + (IsSameOwner ? 0 : _ownerOctets);
        return _storedOctets <= _limits.MaxOctets || FailWith(TransferFailureKind.TooLarge,
            $"found records and empty non-terminals of more than {_limits.MaxOctets:N0} octets without compression, "
                + "which MaxOctets allows");
    }

    /// <summary>
    /// The empty non-terminals that a record adds: of names that are neither in the zone nor above the one before.
    /// </summary>
    private int CountNewNamesAbove()
    {
        if (Owner.SequenceEqual(_lastAdded)) return 0;
        LookupName name = default;
        name.Set(Owner);
        int most = name.LabelCount - WireName.CountLabels(_query.Zone.Octets), count = 0;
        ReadOnlySpan<byte> above = Owner[(1 + Owner[0])..];
        while (count + 1 < most && !_edited!.TryFind(in name, count + 1, out _)
            && !WireName.IsAtOrBelow(_lastAdded, above))
        {
            count++;
            above = above[(1 + above[0])..];
        }
        _lastAdded = Owner.ToArray();
        return count;
    }

    private bool IsDeltaInBounds()
    {
        long most = MostFor(LeastDeltaOctets);
        return _storedOctets <= most ||
            FailWith(TransferFailureKind.DoesNotFit, $"found differences of more than {most:N0} octets");
    }

    /// <summary>Twice the zone, and no more than half of the memory.</summary>
    private long MostFor(long least) => Math.Max(least, Math.Min(2 * _haveBytes, TransferOptions.ProcessBytes / 2));

    private bool IsFirstSoa(ReadOnlySpan<byte> rdata)
    {
        if (rdata.SequenceEqual(_firstSoa)) return true;
        if (!WireName.EqualsIgnoreCase(rdata, _firstSoa)) return false;
        // Names are compared ignoring case, the rest exactly.
        byte[] one = rdata.ToArray(), other = [.. _firstSoa];
        Rdata.ToCanonical(RRType.SOA, one);
        Rdata.ToCanonical(RRType.SOA, other);
        return one.AsSpan().SequenceEqual(other);
    }

    private TransferStep Finish()
    {
        if (IsUpToDate) return TransferStep.Complete;
        if (IsIncremental) Zone = _edited;
        else if (!TryBuild()) return TransferStep.Failed;
        if (!_acceptsAnySerial && _have is not null && IsEmptied(_have, Zone!))
            return Fail(TransferFailureKind.BadZone,
                $"found no NS at the apex of serial {Serial}, expected one, as in serial {_have.Serial}");
        (_builder, _delta, _edited) = (null, null, null);
        return TransferStep.Complete;
    }

    /// <summary>
    /// Whether a version has lost its NS RRset, or all but its SOA: a primary whose file or database failed has such a
    /// one.
    /// </summary>
    private static bool IsEmptied(Zone before, Zone now) => !now.ApexNode.TryFind(RRType.NS, out _)
        && (before.ApexNode.TryFind(RRType.NS, out _) || now.RecordCount == 1 && before.RecordCount > 1);

    private bool TryBuild()
    {
        if (!_acceptsAnySerial && _have is not null && !SerialNumber.IsGreater(Serial, _have.Serial))
            return FailWith(TransferFailureKind.SerialBehind,
                $"found serial {Serial}, expected one above {_have.Serial}");
        ZoneBuilder builder = _builder!;
        Zone zone = builder.Build();
        ZoneReview review = ZoneReview.Of(zone, builder.Notes, _zoneLimits);
        if (review.Errors.Count > 0)
        {
            string more = review.Errors.Count > 1 ? $" (and {review.Errors.Count - 1:N0} more errors)" : "";
            return FailWith(TransferFailureKind.BadZone, review.Errors[0] + more);
        }
        (Zone, Warnings) = (zone, review.Warnings);
        return true;
    }
}
