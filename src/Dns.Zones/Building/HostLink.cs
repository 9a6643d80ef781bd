namespace Dns.Zones.Building;

/// <summary>
/// The link of a record to a host in its own zone: the part of the host's hash that the name table stores. Finds the
/// host in any version of the zone without hashing its name; the name is compared.
/// </summary>
internal static class HostLink
{
    /// <summary>Set in every link, so that 0 is no link. To compare a link with a hash, set it in the hash.</summary>
    internal const uint SetBit = 1;

    /// <summary>The link to a name in the zone.</summary>
    internal static uint Of(ulong hash) => (uint)(hash >> 32) | SetBit;

    /// <summary>The link of a record whose type has links; 0 if its host is not in the zone.</summary>
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
