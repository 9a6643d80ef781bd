namespace Dns.Dnssec.Signing;

/// <summary>
/// The names whose signed records may differ after a change of the source: those of the delta, all below an added or
/// removed cut or DNAME, and with NSEC3 the empty non-terminals above them, which only that chain has.
/// </summary>
internal sealed class AffectedNames
{
    private readonly Zone _source;
    private readonly Zone _signed;
    private readonly int _most;
    private readonly bool _isHashed;
    private readonly HashSet<byte[]> _names = new(OctetComparer.Instance);
    private readonly HashSet<byte[]> _changed = new(OctetComparer.Instance);

    /// <param name="source">The source after the change.</param>
    /// <param name="signed">The signed version before it.</param>
    /// <param name="isHashed">Whether its chain is of NSEC3 records.</param>
    internal AffectedNames(Zone source, Zone signed, int most, bool isHashed) =>
        (_source, _signed, _most, _isHashed) = (source, signed, most, isHashed);

    /// <summary>The names in lower case, including the apex.</summary>
    internal IReadOnlyCollection<byte[]> Names => _names;

    /// <summary>Finds the names. False if there are too many.</summary>
    internal bool TryFind(ZoneDelta delta)
    {
        _names.Add(_source.Apex.ToArray());
        return TryAdd(delta.Removed) && TryAdd(delta.Added);
    }

    private bool TryAdd(RecordList records)
    {
        Span<byte> lower = stackalloc byte[WireName.MaxOctets];
        foreach (RecordList.ListedRecord record in records)
        {
            WireName.ToLower(record.Owner, lower[..record.Owner.Length]);
            ReadOnlySpan<byte> owner = lower[..record.Owner.Length];
            if (!_changed.GetAlternateLookup<ReadOnlySpan<byte>>().Add(owner) || owner.Length <= _source.Apex.Length)
                continue;
            _names.GetAlternateLookup<ReadOnlySpan<byte>>().Add(owner);
            if (_isHashed) AddEmptyAbove(owner);
            if (!TryAddBelow(owner) || _names.Count > _most) return false;
        }
        return true;
    }

    private void AddEmptyAbove(ReadOnlySpan<byte> owner)
    {
        for (ReadOnlySpan<byte> above = Parent(owner); above.Length > _source.Apex.Length; above = Parent(above))
            if (IsWithoutData(_source, above)) _names.GetAlternateLookup<ReadOnlySpan<byte>>().Add(above);
    }

    // A new DNAME at the apex hides the zone, which is then signed as a whole.
    private bool TryAddBelow(ReadOnlySpan<byte> owner)
    {
        bool hid = SourceNames.TryFind(_signed, owner, out ZoneNode before) && SourceNames.Hides(before);
        bool hides = SourceNames.TryFind(_source, owner, out ZoneNode now) && SourceNames.Hides(now);
        return hid == hides || TryAddBelow(_source, owner) && TryAddBelow(_signed, owner);
    }

    private bool TryAddBelow(Zone zone, ReadOnlySpan<byte> owner)
    {
        foreach (ZoneNode node in zone.Order.Below(owner))
        {
            _names.GetAlternateLookup<ReadOnlySpan<byte>>().Add(node.Name);
            if (_names.Count > _most) return false;
        }
        return true;
    }

    private static bool IsWithoutData(Zone zone, ReadOnlySpan<byte> name) =>
        !SourceNames.TryFind(zone, name, out ZoneNode node) || !SourceNames.HasOwnData(node);

    private static ReadOnlySpan<byte> Parent(ReadOnlySpan<byte> name) => name[(name[0] + 1)..];
}
