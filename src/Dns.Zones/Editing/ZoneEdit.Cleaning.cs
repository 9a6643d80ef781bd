namespace Dns.Zones.Editing;

/// <content>
/// Compaction. Once a quarter of the memory is dead, each edit moves a few live nodes out of the segment with the
/// fewest, in proportion to its writes, until that is free: no edit copies the whole zone.
/// </content>
internal sealed partial class ZoneEdit
{
    private const int DeadPart = 4;

    // In a segment that is a quarter dead, three octets are moved for each freed one; with more, memory shrinks.
    private const int MovedPerWritten = 6;
    private const int LeastMoved = 1 << 10;

    /// <summary>Below this a zone is not compacted: an empty segment takes as much.</summary>
    private const int LeastDeadOctets = 1 << 12;

    /// <returns>The segment being emptied, -1 for none, and the offset of its first unvisited node.</returns>
    private (int Victim, int Offset) Clean()
    {
        (int victim, int offset) = _before.SegmentUse is { } use ? (use.Victim, use.VictimOffset) : (-1, 0);
        long left = Math.Max(LeastMoved, _memory.WrittenOctets * MovedPerWritten);
        while (left > 0)
        {
            if (victim < 0)
            {
                if (_memory.DeadOctets < LeastDeadOctets || _memory.DeadOctets * DeadPart < _memory.TotalOctets) break;
                (victim, offset) = (_memory.FindVictim(), ZoneMemory.Unit);
                if (victim < 0) break;
            }
            byte[] segment = _memory.Segments[victim];
            int octets = offset + ZoneMemory.NodeHeaderOctets <= segment.Length
                ? ZoneMemory.NodeOctets(segment.AsSpan(offset)) : 0;
            if (octets == 0)
            {
                _memory.Drop(victim);
                victim = -1;
                continue;
            }
            left -= Move(ZoneMemory.Reference(victim, offset)) ? octets : octets / DeadPart;
            offset += octets;
        }
        return (victim, offset);
    }

    /// <summary>Moves a node, if it is live.</summary>
    private bool Move(uint reference)
    {
        if (ZoneMemory.IsDead(Octets(reference))) return false;
        ulong hash = NameHash.Compute(new ZoneNode(Octets(reference)).Name);
        if (!_names.LeadsTo(hash, reference)) return false;
        Own(hash, reference);
        return true;
    }
}
