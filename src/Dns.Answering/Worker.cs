namespace Dns.Answering;

/// <summary>
/// Per-thread state that outlives a query: counter shard, cached answers, and buffers for relayed records. Fetched once
/// a batch and passed in the <see cref="QueryContext"/>.
/// </summary>
internal sealed class Worker
{
    [ThreadStatic]
    private static Worker? _ofThread;

    private byte[]? _members;
    private byte[]? _additionalMembers;
    private uint _random = (uint)Random.Shared.Next() | 1;

    private Worker()
    {
    }

    /// <summary>The instance of the current thread.</summary>
    internal static Worker OfThread => _ofThread ??= new Worker();

    /// <summary>The thread's counter shard.</summary>
    internal int Shard { get; } = CounterShard.Assign();

    /// <summary>Cached answers of this thread; created at first use.</summary>
    internal CachedAnswers CachedAnswers => field ??= new CachedAnswers();

    /// <summary>Proofs of denial pending until the authority section; created at first use.</summary>
    internal PendingProofs Proofs => field ??= new PendingProofs();

    /// <summary>The signatures made for the current answer; created at first use.</summary>
    internal OnlineSignatures Online => field ??= new OnlineSignatures();

    /// <summary>A buffer for the chosen members of an RRset, another one for those of additional data.</summary>
    internal byte[] Members(bool isAdditional) => isAdditional
        ? _additionalMembers ??= new byte[ushort.MaxValue] : _members ??= new byte[ushort.MaxValue];

    /// <summary>Whether the current answer has an RRset of a marked name.</summary>
    internal bool HasChosen { get; set; }

    /// <summary>A random number (xorshift).</summary>
    internal uint NextRandom()
    {
        _random ^= _random << 13;
        _random ^= _random >> 17;
        return _random ^= _random << 5;
    }

    /// <summary>A buffer for a whole message to be relayed; created at first use.</summary>
    internal byte[] Message => field ??= new byte[ushort.MaxValue];

    /// <summary>A buffer for any uncompressed RDATA; created at first use.</summary>
    internal byte[] Rdata => field ??= new byte[Protocol.RecordData.Rdata.MaxOctets];
}
