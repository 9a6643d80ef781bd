namespace Dns.Replication.Journal;

/// <summary>What could not be read of a journal when it was opened.</summary>
/// <param name="IsTorn">Whether it is an incomplete end after a crash, which was never acknowledged.</param>
/// <param name="Position">Its offset in the file.</param>
/// <param name="Kept">The number of intact changes before it.</param>
/// <param name="Aside">The file that has the octets; null if they are lost or all are gone.</param>
/// <param name="SerialBound">A serial above all that the lost changes may have led to; null for none.</param>
public sealed record JournalLoss(bool IsTorn, long Position, long Octets, int Kept, string? Aside, uint? SerialBound)
{
    /// <summary>The loss of all changes, of which other files tell.</summary>
    internal static JournalLoss OfAll(uint serialBound) => new(false, 0, 0, 0, null, serialBound);

    /// <inheritdoc/>
    public override string ToString() => !IsTorn && Aside is null
        ? "it has no change, and had some, which are lost"
        : IsTorn
        ? $"the last {Octets} octets, from offset {Position}, are an unfinished change that was never acknowledged; "
            + $"intact before it: {ZoneJournal.CountOf(Kept)}"
        : $"octets from {Position} on are damaged; kept before them: {ZoneJournal.CountOf(Kept)}; "
            + $"the rest is lost, and copied to {Aside}";
}
