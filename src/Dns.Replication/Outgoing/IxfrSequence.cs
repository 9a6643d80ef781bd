namespace Dns.Replication.Outgoing;

/// <summary>
/// Deltas of a zone as the messages of a transfer (RFC 1995 §4): the new SOA; for each delta the old SOA, removed
/// records, the new SOA, added records; the first SOA again. Without deltas, the whole version.
/// </summary>
/// <param name="zone">The version after the deltas.</param>
/// <param name="find">
/// The deltas in order, each removes an SOA and adds one; empty for the whole version. Called by the first pull, since
/// it may merge thousands of records: a query that is refused after all, or waits for its turn, costs none of that.
/// </param>
/// <param name="query">The query; disposed with the sequence.</param>
public sealed class IxfrSequence(Zone zone, Func<IReadOnlyList<ZoneDelta>> find, TransferQuery query)
    : AxfrSequence(zone, query)
{
    private IReadOnlyList<ZoneDelta>? _deltas;
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
    public override TransferKind Kind => _deltas is [] ? base.Kind : TransferKind.Changes;

    private protected override bool TryWriteRest(ref MessageWriter writer)
    {
        if ((_deltas ??= find()) is not [.., ZoneDelta last]) return base.TryWriteRest(ref writer);
        if (_part == Part.FirstSoa)
        {
            if (!TryWriteSoa(ref writer, last.Added)) return false;
            _part = Part.Changes;
        }
        for (; _part == Part.Changes && _delta < _deltas.Count; _delta++)
            if (!TryWriteDelta(ref writer, _deltas[_delta])) return false;
        _part = Part.LastSoa;
        return TryWriteSoa(ref writer, last.Added);
    }

    private protected override string TextOfNext()
    {
        if (_deltas is not [_, ..]) return base.TextOfNext();
        ZoneDelta delta = _deltas[Math.Min(_delta, _deltas.Count - 1)];
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
