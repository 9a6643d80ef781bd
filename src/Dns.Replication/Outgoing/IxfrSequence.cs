namespace Dns.Replication.Outgoing;

/// <summary>
/// Deltas of a zone as the messages of a transfer (RFC 1995 §4): the new SOA; for each delta the old SOA, removed
/// records, the new SOA, added records; the first SOA again.
/// </summary>
/// <param name="deltas">The deltas in order, at least one; each removes an SOA and adds one.</param>
/// <param name="query">The query; disposed with the sequence.</param>
public sealed class IxfrSequence(IReadOnlyList<ZoneDelta> deltas, TransferQuery query) : TransferSequence(query)
{
    private Part _part;
    private int _delta;
    private bool _isAdding;
    private bool _hasSoa;
    private int _record;

    private enum Part : byte
    {
        FirstSoa,
        Changes,
        LastSoa,
    }

    /// <inheritdoc/>
    public override TransferKind Kind => TransferKind.Changes;

    /// <inheritdoc/>
    public override uint Serial => deltas[^1].SerialTo;

    private protected override bool TryWriteRest(ref MessageWriter writer)
    {
        if (_part == Part.FirstSoa)
        {
            if (!TryWriteSoa(ref writer, deltas[^1].Added)) return false;
            _part = Part.Changes;
        }
        for (; _part == Part.Changes && _delta < deltas.Count; _delta++)
            if (!TryWriteDelta(ref writer, deltas[_delta])) return false;
        _part = Part.LastSoa;
        return TryWriteSoa(ref writer, deltas[^1].Added);
    }

    private protected override string TextOfNext()
    {
        ZoneDelta delta = deltas[Math.Min(_delta, deltas.Count - 1)];
        RecordList list = _isAdding ? delta.Added : delta.Removed;
        if (_part != Part.Changes || !_hasSoa || _record >= list.Count) return $"{delta.Zone} SOA";
        return $"{NameText.ToText(list[_record].Owner)} {RRTypeText.Format(list[_record].Type)}";
    }

    private bool TryWriteDelta(ref MessageWriter writer, ZoneDelta delta)
    {
        if (!_isAdding)
        {
            if (!TryWriteList(ref writer, delta.Removed)) return false;
            (_isAdding, _hasSoa, _record) = (true, false, 0);
        }
        if (!TryWriteList(ref writer, delta.Added)) return false;
        (_isAdding, _hasSoa, _record) = (false, false, 0);
        return true;
    }

    private bool TryWriteList(ref MessageWriter writer, RecordList records)
    {
        if (!_hasSoa && !TryWriteSoa(ref writer, records)) return false;
        _hasSoa = true;
        for (; _record < records.Count; _record++)
        {
            RecordList.ListedRecord record = records[_record];
            // The apex has no ancestor in the zone.
            if (record.Type == RRType.SOA) continue;
            if (!TryWrite(ref writer, record.Owner, record.Type, record.Ttl, record.Rdata)) return false;
        }
        return true;
    }

    private bool TryWriteSoa(ref MessageWriter writer, RecordList records)
    {
        foreach (RecordList.ListedRecord record in records)
            if (record.Type == RRType.SOA)
                return TryWrite(ref writer, record.Owner, RRType.SOA, record.Ttl, record.Rdata);
        return false;
    }
}
