using Dns.Protocol;

namespace Dns.Answering;

/// <summary>What the records of an answer depend on, beside the room there is for them.</summary>
/// <param name="snapshot">The version of the zone, as a number that no other has.</param>
/// <param name="zones">
/// The set of zones, as a number that no other has, of an answer that any other zone would change if there were one: that of an
/// alias. Else 0.
/// </param>
/// <param name="name">The lower-case name of the node that answers.</param>
/// <param name="hash">Its hash.</param>
/// <param name="type">The type asked for; 0 for a referral, which does not depend on it.</param>
/// <param name="dnssecOk">Whether signatures go with the records.</param>
internal readonly ref struct ReadyAnswerKey(
    long snapshot, long zones, ReadOnlySpan<byte> name, ulong hash, RRType type, bool dnssecOk)
{
    internal long Snapshot { get; } = snapshot;

    internal long Zones { get; } = zones;

    internal ReadOnlySpan<byte> Name { get; } = name;

    internal RRType Type { get; } = type;

    internal bool DnssecOk { get; } = dnssecOk;

    internal bool IsReferral => Type == 0;

    /// <summary>All of it in 64 bits.</summary>
    internal ulong Mixed { get; } =
        (hash ^ (ulong)snapshot << 32 ^ (ulong)type << 1 ^ (dnssecOk ? 1UL : 0)) * 0x9E3779B97F4A7C15;
}
