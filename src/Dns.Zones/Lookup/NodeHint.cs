namespace Dns.Zones.Lookup;

/// <summary>A name's probable node in a version of a zone (<see cref="Zone.PrefetchNode"/>); by default none.</summary>
public readonly struct NodeHint
{
    internal NodeHint(long snapshot, uint reference) => (Snapshot, Reference) = (snapshot, reference);

    /// <summary><see cref="Zone.Snapshot"/> of the version, the only one in which the reference is valid.</summary>
    internal long Snapshot { get; }

    internal uint Reference { get; }
}
