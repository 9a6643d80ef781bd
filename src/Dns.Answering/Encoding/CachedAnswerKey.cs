namespace Dns.Answering.Encoding;

/// <summary>The key of a cached answer: all that its records depend on, except the room for them.</summary>
/// <param name="snapshot">The unique number of the zone's version.</param>
/// <param name="zones">The unique number of the set of zones, which decides in which zone a target is; 0 for a
/// referral, whose data is of its own zone.</param>
/// <param name="name">The lower-case name of the node that answers.</param>
/// <param name="type">The queried type; 0 for a referral, which does not depend on it.</param>
/// <param name="dnssecOk">Whether signatures are included.</param>
/// <param name="view">The number of the view.</param>
/// <param name="hasChoice">Whether a step chooses among the members of RRsets.</param>
internal readonly ref struct CachedAnswerKey(
    long snapshot, long zones, ReadOnlySpan<byte> name, ulong hash, RRType type, bool dnssecOk, ushort view = 0,
    bool hasChoice = false)
{
    internal long Snapshot { get; } = snapshot;

    internal long Zones { get; } = zones;

    internal ReadOnlySpan<byte> Name { get; } = name;

    internal RRType Type { get; } = type;

    /// <summary>Signatures and choice as one octet.</summary>
    internal byte Variant { get; } = (byte)((dnssecOk ? 1 : 0) | (hasChoice ? 2 : 0));

    internal ushort View { get; } = view;

    internal bool IsReferral => Type == 0;

    /// <summary>A 64-bit hash of the key.</summary>
    internal ulong Mixed { get; } =
        (hash ^ (ulong)snapshot << 32 ^ (ulong)view << 17 ^ (ulong)type << 1
            ^ (dnssecOk ? 1UL : 0) ^ (hasChoice ? 1UL << 40 : 0))
        * 0x9E3779B97F4A7C15;
}
