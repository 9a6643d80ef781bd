namespace Dns.Zones;

/// <summary>What an edited version knows of its segments beside their octets. Immutable.</summary>
/// <param name="Dead">For each segment the octets that no name leads to; <see cref="Pinned"/> if they are not known.</param>
/// <param name="DeadOctets">Their sum.</param>
/// <param name="TotalOctets">The octets of all segments.</param>
/// <param name="Tail">The end of the segment that is appended to; null as long as nothing was.</param>
/// <param name="TailSegment">Its number.</param>
/// <param name="TailEnd">Where it ends for this version.</param>
/// <param name="Victim">The segment that is being emptied; -1 for none.</param>
/// <param name="VictimPlace">Where in it the nodes begin that have not been looked at.</param>
internal sealed record SegmentUse(
    int[] Dead, long DeadOctets, long TotalOctets, SegmentTail? Tail, int TailSegment, int TailEnd, int Victim, int VictimPlace)
{
    /// <summary>Another line of versions appends to the segment: it is left as it is.</summary>
    internal const int Pinned = -1;
}
