namespace Dns.Forwarding.InFlight;

/// <summary>
/// The client that an upstream query counts for: the one that started it, until one joins whose address is proven.
/// Fits 64 bits, so that it is read without a lock.
/// </summary>
/// <param name="Network">As <see cref="ClientShare.Network"/>.</param>
/// <param name="Client">As <see cref="ClientShare.Client"/>.</param>
/// <param name="IsProven">Whether its address is proven; false if it may be forged.</param>
internal readonly record struct QueryOwner(int Network, int Client, bool IsProven)
{
    /// <summary>No client, as of a prefetch.</summary>
    internal static QueryOwner None => new(ClientShare.None.Network, ClientShare.None.Client, false);

    internal static QueryOwner Of(WaiterNode? node) =>
        node is null ? None : new(node.Share.Network, node.Share.Client, node.IsProven);

    internal long Pack() => (long)Network << 32 | (uint)Client << 1 | (IsProven ? 1u : 0u);

    internal static QueryOwner Unpack(long packed) => new((int)(packed >> 32), (int)packed >> 1, (packed & 1) != 0);
}
