namespace Dns.Replication;

/// <summary>The version of a zone that changes of a journal start from.</summary>
/// <param name="Serial">Its serial.</param>
/// <param name="Digest">
/// The digest of its records (<see cref="Zones.ZoneDigest"/>); 0 where nothing tells versions of one serial apart.
/// </param>
public readonly record struct JournalBase(uint Serial, UInt128 Digest);

/// <summary>A version that was written out elsewhere: who starts from it needs only the deltas behind it.</summary>
/// <param name="Base">The version.</param>
/// <param name="Index">The number of the first delta behind it.</param>
public readonly record struct JournalMark(JournalBase Base, int Index);
