namespace Dns.Zones.Building;

/// <summary>Steps from node to node through the segments, dead nodes included.</summary>
internal static class NodeWalk
{
    /// <summary>Returns the node at a segment and offset, and moves both past it.</summary>
    /// <remarks>A node length of 0 means that the rest of the segment is unused.</remarks>
    internal static bool TryNext(
        byte[][] segments, int lastSegmentOctets, ref int segment, ref int offset, out uint reference)
    {
        while (segment < segments.Length)
        {
            int end = segment == segments.Length - 1 ? lastSegmentOctets : segments[segment].Length;
            if (offset + ZoneMemory.NodeHeaderOctets <= end)
            {
                int length = ZoneMemory.NodeOctets(segments[segment].AsSpan(offset));
                if (length > 0)
                {
                    reference = ZoneMemory.Reference(segment, offset);
                    offset += length;
                    return true;
                }
            }
            segment++;
            offset = ZoneMemory.Unit;
        }
        reference = 0;
        return false;
    }
}
