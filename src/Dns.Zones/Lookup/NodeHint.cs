namespace Dns.Zones;

/// <summary>
/// The probable node of a name in one version of a zone, from <see cref="Zone.PrefetchNode"/>. The default value is no
/// hint.
/// </summary>
public readonly struct NodeHint
{
    internal NodeHint(long snapshot, uint reference) => (Snapshot, Reference) = (snapshot, reference);

    /// <summary><see cref="Zone.Snapshot"/> of the version, the only one in which the reference is valid.</summary>
    internal long Snapshot { get; }

    /// <summary>The reference of the node.</summary>
    internal uint Reference { get; }
}
