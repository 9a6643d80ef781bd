namespace Dns.Zones;

/// <summary>Steps from node to node through the segments, dead nodes included.</summary>
internal static class NodeWalk
{
    /// <summary>Gives the node at a segment and place and moves both behind it.</summary>
    /// <remarks>A length of 0 where a node should start says that the rest of the segment is unused.</remarks>
    internal static bool TryNext(
        byte[][] segments, int lastSegmentOctets, ref int segment, ref int place, out uint reference)
    {
        while (segment < segments.Length)
        {
            int end = segment == segments.Length - 1 ? lastSegmentOctets : segments[segment].Length;
            if (place + ZoneMemory.NodeHeaderOctets <= end)
            {
                int length = ZoneMemory.NodeOctets(segments[segment].AsSpan(place));
                if (length > 0)
                {
                    reference = ZoneMemory.Reference(segment, place);
                    place += length;
                    return true;
                }
            }
            segment++;
            place = ZoneMemory.Unit;
        }
        reference = 0;
        return false;
    }
}
