namespace Dns.Replication.Outgoing;

/// <summary>A whole version as a transfer (RFC 5936 §2.2): the SOA, every other record, the SOA again.</summary>
/// <param name="query">The query; disposed with the sequence.</param>
public class AxfrSequence(Zone zone, TransferQuery query) : TransferSequence(query)
{
    private ZoneCursor _cursor;
    private int _rrset;
    private int _record;
    private bool _isFurther;
    private Part _part;

    private enum Part : byte
    {
        FirstSoa,
        Records,
        LastSoa,
    }

    /// <inheritdoc/>
    public override TransferKind Kind => Query.Type == RRType.AXFR ? TransferKind.Whole : TransferKind.WholeForChanges;

    /// <inheritdoc/>
    public override uint Serial => zone.Serial;

    private protected override bool TryWriteRest(ref MessageWriter writer)
    {
        if (_part == Part.FirstSoa)
        {
            if (!TryWriteSoa(ref writer, zone)) return false;
            _part = Part.Records;
        }
        if (_part == Part.Records)
        {
            if (!TryWriteNodes(ref writer)) return false;
            _part = Part.LastSoa;
        }
        return TryWriteSoa(ref writer, zone);
    }

    private protected override string TextOfNext()
    {
        ZoneCursor next = _cursor;
        if (_part != Part.Records || !zone.TryNext(ref next, out ZoneNode node))
            return $"{NameText.ToText(zone.Apex)} SOA";
        int index = 0;
        foreach (RRset rrset in node)
            if (index++ == _rrset) return $"{NameText.ToText(node.Name)} {RRTypeText.Format(rrset.Type)}";
        return NameText.ToText(node.Name);
    }

    /// <returns>False if the message is full.</returns>
    private bool TryWriteNodes(ref MessageWriter writer)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        ZoneCursor next = _cursor;
        _isFurther = false;
        while (zone.TryNext(ref next, out ZoneNode node))
        {
            if (!TryWriteNode(ref writer, node, owner[..node.CopyOwner(owner)])) return false;
            (_cursor, _rrset, _record, _isFurther) = (next, 0, 0, false);
        }
        return true;
    }

    private bool TryWriteNode(ref MessageWriter writer, ZoneNode node, scoped ReadOnlySpan<byte> owner)
    {
        bool isApex = node.Name.SequenceEqual(zone.Apex);
        int index = 0;
        foreach (RRset rrset in node)
        {
            if (index++ < _rrset || isApex && rrset.Type == RRType.SOA) continue;
            if (!TryWriteRRset(ref writer, owner, rrset)) return false;
            (_rrset, _record) = (index, 0);
        }
        return true;
    }

    private bool TryWriteRRset(ref MessageWriter writer, scoped ReadOnlySpan<byte> owner, RRset rrset)
    {
        int index = 0;
        foreach (ReadOnlySpan<byte> rdata in rrset)
        {
            if (index++ < _record) continue;
            if (!TryWrite(ref writer, owner, rrset.Type, rrset.Ttl, rdata, _isFurther)) return false;
            (_record, _isFurther) = (index, true);
        }
        return true;
    }
}
