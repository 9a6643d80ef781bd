namespace Dns.Answering.Deferring;

/// <summary>The forwarded names, and the clients that may query them. Thread-safe; allocates nothing.</summary>
public interface IForwardedZones
{
    /// <summary>
    /// The label count of the longest forwarded zone that holds the suffix of a name without its first
    /// <paramref name="skippedLabels"/> labels; -1 if there is none, 0 for the root.
    /// </summary>
    int ZoneLabels(scoped ref readonly LookupName name, int skippedLabels);

    /// <summary>
    /// Whether a forwarded alias must not lead to this record of a served zone: a private address (DNS rebinding).
    /// </summary>
    /// <param name="rdata">Valid RDATA, uncompressed.</param>
    bool Blocks(RRType type, ReadOnlySpan<byte> rdata);

    /// <summary>Whether a client may use recursion (RA).</summary>
    bool MayRecurse(ref ClientAddress client);
}
