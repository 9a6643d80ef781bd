using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>
/// A whole zone as the messages of a transfer (RFC 5936 §2.2): the SOA, every other record, the SOA again. One version of the zone,
/// whatever is published meanwhile. Messages are filled up to the room they get.
/// </summary>
/// <remarks>
/// Holds the version, a table of names and the key; nothing else, however large the zone. Pulled by one thread at a time.
/// </remarks>
/// <param name="zone">The version to send.</param>
/// <param name="query">What was asked; disposed with the sequence.</param>
public sealed class ZoneSequence(Zone zone, TransferQuery query) : IReplySequence
{
    private ZoneCursor _cursor;
    private int _rrset;
    private int _record;
    private Part _part;

    private enum Part : byte
    {
        FirstSoa,
        Records,
        LastSoa,
        Ended,
    }

    /// <summary>Records sent so far.</summary>
    public long Records { get; private set; }

    /// <inheritdoc/>
    public SequenceStep WriteNext(Span<byte> room, out int octets)
    {
        octets = 0;
        if (_part == Part.Ended) return SequenceStep.Ended;
        MessageWriter writer = new(room, query.Names);
        long before = Records;
        bool isFirst = _part == Part.FirstSoa;
        if (query.TryBegin(ref writer, withQuestion: isFirst)) WriteRecords(ref writer);
        if (Records == before) return room.Length < ushort.MaxValue ? SequenceStep.NeedsRoom : SequenceStep.Failed;
        octets = query.Finish(ref writer, room, isFirst);
        return SequenceStep.Written;
    }

    /// <summary>Writes a reply that there is no transfer, before the first message.</summary>
    /// <param name="room">Receives it.</param>
    /// <param name="rcode">Why.</param>
    /// <returns>Its length.</returns>
    public int Refuse(Span<byte> room, Rcode rcode) => query.Write(room, rcode);

    /// <inheritdoc/>
    public void Dispose()
    {
        _part = Part.Ended;
        query.Dispose();
    }

    private void WriteRecords(ref MessageWriter writer)
    {
        if (_part == Part.FirstSoa && TryWriteSoa(ref writer)) _part = Part.Records;
        if (_part == Part.Records && TryWriteNodes(ref writer)) _part = Part.LastSoa;
        if (_part == Part.LastSoa && TryWriteSoa(ref writer)) _part = Part.Ended;
    }

    private bool TryWriteSoa(ref MessageWriter writer)
    {
        if (!TransferQuery.TryWriteSoa(ref writer, zone)) return false;
        Records++;
        return true;
    }

    /// <returns>Whether all nodes are written; false if the message is full.</returns>
    private bool TryWriteNodes(ref MessageWriter writer)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        ZoneCursor next = _cursor;
        while (zone.TryNext(ref next, out ZoneNode node))
        {
            if (!TryWriteNode(ref writer, node, owner[..node.CopyOwner(owner)])) return false;
            (_cursor, _rrset, _record) = (next, 0, 0);
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
            if (!writer.TryWrite(MessageSection.Answer, owner, rrset.Type, RRClass.IN, rrset.Ttl, rdata)) return false;
            _record = index;
            Records++;
        }
        return true;
    }
}
