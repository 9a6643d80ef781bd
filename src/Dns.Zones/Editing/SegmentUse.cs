namespace Dns.Zones.Editing;

/// <summary>The segment statistics of an edited version.</summary>
/// <param name="Dead">The dead octets of each segment; <see cref="Pinned"/> if unknown. Shared by versions: the edit
/// that has claimed <paramref name="Tail"/> changes it, and it is right for the newest version.</param>
/// <param name="Tail">The end of the current segment; null before the first append.</param>
/// <param name="TailEnd">Its end in this version.</param>
/// <param name="Victim">The segment being emptied; -1 for none.</param>
/// <param name="VictimOffset">The offset of its first node that was not visited.</param>
internal sealed record SegmentUse(
    int[] Dead, long DeadOctets, long TotalOctets, SegmentTail? Tail, int TailSegment, int TailEnd, int Victim,
    int VictimOffset)
{
    /// <summary>Another branch of versions appends to the segment: it is left alone.</summary>
    internal const int Pinned = -1;
}
