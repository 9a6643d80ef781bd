namespace Dns.Replication;

/// <summary>How a zone does that is updated beside its file.</summary>
/// <param name="IsFrozen">Whether updates are refused so that the file can be edited.</param>
/// <param name="JournalCount">Changes that the journal has and the file has not.</param>
/// <param name="JournalOctets">Length of the journal.</param>
/// <param name="Conflict">Why file and journal do not go together; null if they do.</param>
public sealed record DynamicZoneStatus(bool IsFrozen, int JournalCount, long JournalOctets, string? Conflict);
