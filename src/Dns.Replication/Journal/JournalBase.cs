namespace Dns.Replication.Journal;

/// <summary>The version that the changes of a journal start from.</summary>
/// <param name="Digest">Its <see cref="ZoneDigest"/>; 0 if versions of one serial are not distinguished.</param>
public readonly record struct JournalBase(uint Serial, UInt128 Digest);

/// <summary>A version that was written out elsewhere: only the deltas behind it are needed from there on.</summary>
/// <param name="Index">The index of the first delta behind it.</param>
public readonly record struct JournalMark(JournalBase Base, int Index);
