namespace Dns.Replication.Update;

/// <summary>The state of dynamic updates (RFC 2136) of a zone.</summary>
/// <param name="IsFrozen">Whether updates are refused so that the file can be edited.</param>
/// <param name="JournalCount">The number of changes in the journal that the file lacks.</param>
/// <param name="Conflict">The conflict between file and journal; null for none.</param>
/// <param name="Loss">The updates that a damaged journal has lost; null for none.</param>
public sealed record UpdateState(bool IsFrozen, int JournalCount, long JournalOctets, FileConflict? Conflict,
    UpdateLoss? Loss);
