namespace Dns.Forwarding.Acceptance;

/// <summary>
/// The part of a reply that answers the question, to be relayed and cached. Reused; owns buffers that grow to the
/// largest reply. Not thread-safe.
/// </summary>
public sealed class AcceptedAnswer
{
    /// <summary>The maximum number of aliases followed within one reply.</summary>
    public const int MaxAliases = 16;

    private byte[] _reply = new byte[1232];
    private RelayedAnswer _header;

    /// <summary>RCODE, counts, AD and extended error; <c>Octets</c> is the length of <see cref="Records"/>.</summary>
    public RelayedAnswer Header => _header;

    /// <summary>
    /// The records, compressed as in <see cref="RelayedAnswer"/>: answer section, then authority section. Names in
    /// RDATA are compressed in types of RFC 1035 only. Valid until the next reply is parsed.
    /// </summary>
    public ReadOnlySpan<byte> Records => Relayed.Octets;

    /// <summary>The offsets of the TTLs in <see cref="Records"/>. Valid until the next reply is parsed.</summary>
    public ReadOnlySpan<ushort> TtlOffsets => Relayed.TtlOffsets;

    /// <summary>The lifetime in seconds; 0 = do not cache.</summary>
    public uint LifetimeSeconds { get; internal set; }

    /// <summary>Whether the last name of the chain does not exist.</summary>
    public bool IsNameError => _header.Rcode == Rcode.NXDomain;

    /// <summary>Whether the last name of the chain exists without data of the type.</summary>
    public bool IsNoData { get; internal set; }

    /// <summary>Whether the chain ends at a name that this reply cannot answer; it is looked up separately.</summary>
    public bool EndsInAlias => _header.EndsInAlias;

    /// <summary>The number of aliases in the chain.</summary>
    public int AliasCount { get; internal set; }

    /// <summary>The last name of the chain; the question's name if there is no alias.</summary>
    public ref readonly LookupName LastName => ref Names[AliasCount];

    /// <summary>Whether the answer contains records of alias targets.</summary>
    internal bool IsAboutTargets => AliasCount > (EndsInAlias ? 1 : 0);

    /// <summary>The <see cref="ZoneRouting.Generation"/> before the names of the chain were checked.</summary>
    internal uint Generation { get; private set; }

    /// <summary>The names of the chain, the question's first.</summary>
    internal LookupName[] Names { get; } = new LookupName[MaxAliases + 1];

    // An upper bound on visits of records in the reply, which measures the work. Each visit walks one name at most.
    internal int RecordsLookedAt { get; set; }

    /// <summary>The records of the reply.</summary>
    internal ReplyRecords Found { get; } = new();

    /// <summary>The accepted records.</summary>
    internal RelayedRecords Relayed { get; } = new();

    internal ref RelayedAnswer WritableHeader => ref _header;

    internal void Clear(scoped in Question question, uint generation)
    {
        Generation = generation;
        _header = default;
        LifetimeSeconds = 0;
        IsNoData = false;
        RecordsLookedAt = 0;
        AliasCount = 0;
        Names[0] = question.Name;
        Relayed.Begin(in question);
    }

    // A copy of the reply with the question's name in lower case, so that names that point to it do not bring the
    // random letter case into the cache.
    internal ReadOnlySpan<byte> CopyOf(ReadOnlySpan<byte> reply, scoped in Question question)
    {
        if (_reply.Length < reply.Length)
            _reply = new byte[System.Numerics.BitOperations.RoundUpToPowerOf2((uint)reply.Length)];
        reply.CopyTo(_reply);
        question.Name.Octets.CopyTo(_reply.AsSpan(MessageHeader.LengthOctets));
        return _reply.AsSpan(0, reply.Length);
    }
}
