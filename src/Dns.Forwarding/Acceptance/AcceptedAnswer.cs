using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>
/// What of a reply answers the question, ready to be relayed and kept. One for each worker, used again and again: owns its
/// buffers, which grow to what the largest reply needed. Not safe to share between threads.
/// </summary>
public sealed class AcceptedAnswer
{
    /// <summary>The most aliases that are followed within one reply.</summary>
    public const int MaxAliases = 16;

    private byte[] _reply = new byte[1232];
    private RelayedAnswer _header;

    /// <summary>Code, counts, AD and extended error of the answer; <c>Octets</c> is the length of <see cref="Records"/>.</summary>
    public RelayedAnswer Header => _header;

    /// <summary>
    /// The records, compressed as <see cref="RelayedAnswer"/> says: answer section, then authority section. Names in RDATA are
    /// compressed in the types of RFC 1035 only. Valid until the next reply is read.
    /// </summary>
    public ReadOnlySpan<byte> Records => Relayed.Octets;

    /// <summary>Where the TTLs are, from the start of <see cref="Records"/>. Valid until the next reply is read.</summary>
    public ReadOnlySpan<ushort> TtlOffsets => Relayed.TtlOffsets;

    /// <summary>How long the answer holds, in seconds; 0 = give it to who waits, do not keep it.</summary>
    public uint LifetimeSeconds { get; internal set; }

    /// <summary>Whether the last name of the chain does not exist.</summary>
    public bool IsNameError => _header.Rcode == Rcode.NXDomain;

    /// <summary>Whether the last name of the chain exists without data of the type.</summary>
    public bool IsNoData { get; internal set; }

    /// <summary>Whether aliases lead to a name that the reply says nothing about, or may not speak of: ask for it apart.</summary>
    public bool LeadsOn => _header.LeadsOn;

    /// <summary>How many aliases the chain has.</summary>
    public int AliasCount { get; internal set; }

    /// <summary>The last name of the chain; the question's name if there is no alias.</summary>
    public ref readonly LookupName LastName => ref Names[AliasCount];

    /// <summary>Whether the answer says anything about a name that an alias leads to.</summary>
    internal bool IsAboutTargets => AliasCount > (LeadsOn ? 1 : 0);

    /// <summary>What <see cref="ZoneRouting.Generation"/> was before the names of the chain were looked at.</summary>
    internal uint Generation { get; private set; }

    /// <summary>The names of the chain, the question's first.</summary>
    internal LookupName[] Names { get; } = new LookupName[MaxAliases + 1];

    /// <summary>
    /// How often a record of the reply was looked at, at the most: the measure of the work that the reply made. Each time no more than
    /// one name of bounded length is walked.
    /// </summary>
    internal int RecordsLookedAt { get; set; }

    /// <summary>The records of the reply.</summary>
    internal ReplyRecords Found { get; } = new();

    /// <summary>The records that are taken over.</summary>
    internal RelayedRecords Relayed { get; } = new();

    /// <summary>The header, to be filled.</summary>
    internal ref RelayedAnswer WritableHeader => ref _header;

    /// <summary>Forgets the last reply.</summary>
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

    /// <summary>
    /// A copy of the reply with the question's name in lower case: names that point to it do not carry the random case in
    /// which the upstream was asked into what is kept.
    /// </summary>
    internal ReadOnlySpan<byte> CopyOf(ReadOnlySpan<byte> reply, scoped in Question question)
    {
        if (_reply.Length < reply.Length) _reply = new byte[System.Numerics.BitOperations.RoundUpToPowerOf2((uint)reply.Length)];
        reply.CopyTo(_reply);
        question.Name.Octets.CopyTo(_reply.AsSpan(MessageHeader.LengthOctets));
        return _reply.AsSpan(0, reply.Length);
    }
}
