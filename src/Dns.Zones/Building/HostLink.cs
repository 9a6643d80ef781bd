using System.Runtime.CompilerServices;

namespace Dns.Zones;

/// <summary>
/// The link after a record of a type that names a host in its own zone: the part of the host's hash that is in the name
/// table. The host is found without hashing its name, wherever its node is in a version of the zone; the name is
/// compared.
/// </summary>
internal static class HostLink
{
    /// <summary>Set in every link, so that 0 is no link. To compare a link with a hash, set it in the hash.</summary>
    internal const uint SetBit = 1;

    /// <summary>The link to a name in the zone.</summary>
    /// <param name="hash">The name's hash.</param>
    internal static uint Of(ulong hash) => (uint)(hash >> 32) | SetBit;

    /// <summary>The link of a record; 0 if its host is not in the zone.</summary>
    /// <param name="type">A type whose records have links.</param>
    /// <param name="rdata">The record's RDATA.</param>
    /// <param name="apex">The zone's name.</param>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal static uint Of(RRType type, ReadOnlySpan<byte> rdata, ReadOnlySpan<byte> apex)
    {
        ReadOnlySpan<byte> target = Rdata.TargetName(type, rdata);
        if (target.Length <= 1 || !WireName.IsAtOrBelow(target, apex)) return 0;
        Unsafe.SkipInit(out LookupName host);
        host.Set(target);
        return Of(host.Hash);
    }
}
