namespace Dns.Replication;

/// <summary>What of a journal could not be read when it was opened, and is no longer in it.</summary>
/// <param name="IsTorn">Whether it is the end of the file that a crash left unfinished: nothing of it was ever acknowledged.</param>
/// <param name="Position">Where in the file it began.</param>
/// <param name="Octets">How many octets.</param>
/// <param name="Kept">How many changes in front of it were kept.</param>
/// <param name="Aside">The file that has the octets; null where they are gone.</param>
public sealed record JournalLoss(bool IsTorn, long Position, long Octets, int Kept, string? Aside)
{
    /// <inheritdoc/>
    public override string ToString() => IsTorn
        ? $"its last {Octets} octets, from {Position} on, are an unfinished change, which nobody was told is done; "
            + $"kept before it: {ZoneJournal.CountOf(Kept)}"
        : $"octets from {Position} on are damaged; kept before them: {ZoneJournal.CountOf(Kept)}; "
            + $"what follows is lost and stands in {Aside}";
}
