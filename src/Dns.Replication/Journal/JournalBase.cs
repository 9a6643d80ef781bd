namespace Dns.Replication;

/// <summary>The version that the changes of a journal start from.</summary>
/// <param name="Serial">Its serial.</param>
/// <param name="Digest">
/// The digest of its records (<see cref="Zones.ZoneDigest"/>); 0 if versions with one serial are not distinguished.
/// </param>
public readonly record struct JournalBase(uint Serial, UInt128 Digest);

/// <summary>A version that was written out elsewhere: only the deltas behind it are needed from there on.</summary>
/// <param name="Base">The version.</param>
/// <param name="Index">The index of the first delta behind it.</param>
public readonly record struct JournalMark(JournalBase Base, int Index);
