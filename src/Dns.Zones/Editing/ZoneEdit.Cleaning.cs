using Dns.Protocol;

namespace Dns.Zones;

/// <content>
/// Dead memory. Once a quarter of it is dead, each edit moves a few living nodes out of the segment that has the fewest, in
/// proportion to what it writes, until that can go: no edit waits for the zone to be copied.
/// </content>
internal sealed partial class ZoneEdit
{
    private const int DeadPart = 4;

    // Of a segment that is a quarter dead three octets are moved for each that is won: with more, memory shrinks.
    private const int MovedPerWritten = 6;
    private const int LeastMoved = 1 << 10;

    /// <summary>Below this a zone is left as it is: an empty segment takes as much.</summary>
    private const int LeastDeadOctets = 1 << 12;

    /// <summary>Moves some nodes.</summary>
    /// <returns>The segment that is being emptied, -1 for none, and where in it the nodes begin that were not looked at.</returns>
    private (int Victim, int Place) Clean()
    {
        (int victim, int place) = _before.SegmentUse is { } use ? (use.Victim, use.VictimPlace) : (-1, 0);
        long left = Math.Max(LeastMoved, _memory.WrittenOctets * MovedPerWritten);
        while (left > 0)
        {
            if (victim < 0)
            {
                if (_memory.DeadOctets < LeastDeadOctets || _memory.DeadOctets * DeadPart < _memory.TotalOctets) break;
                (victim, place) = (_memory.FindVictim(), ZoneMemory.Unit);
                if (victim < 0) break;
            }
            byte[] segment = _memory.Segments[victim];
            int octets = place + ZoneMemory.NodeHeaderOctets <= segment.Length ? ZoneMemory.NodeOctets(segment.AsSpan(place)) : 0;
            if (octets == 0)
            {
                _memory.Drop(victim);
                victim = -1;
                continue;
            }
            left -= Move(ZoneMemory.Reference(victim, place)) ? octets : octets / DeadPart;
            place += octets;
        }
        return (victim, place);
    }

    /// <summary>Moves a node, if a name leads to it.</summary>
    private bool Move(uint reference)
    {
        ulong hash = NameHash.Compute(new ZoneNode(Octets(reference)).Name);
        if (!_names.LeadsTo(hash, reference)) return false;
        Own(hash, reference);
        return true;
    }
}
