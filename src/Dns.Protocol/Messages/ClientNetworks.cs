using System.Buffers.Binary;
using System.Net;

namespace Dns.Protocol;

/// <summary>
/// A list of networks that clients may be in. Immutable. A test compares an address with each network of its family, so
/// <c>::/0</c> is every IPv6 client and no IPv4 client; it allocates nothing.
/// </summary>
public sealed class ClientNetworks
{
    private const int AddressBits = 128;
    private const int MappedBits = 96;

    private readonly (UInt128 Prefix, UInt128 Mask)[] _ipv4, _ipv6;

    /// <summary>Takes a list; an empty one holds nobody.</summary>
    public ClientNetworks(IReadOnlyList<IPNetwork> networks)
    {
        List<(UInt128, UInt128)> ipv4 = [], ipv6 = [];
        foreach (IPNetwork network in networks)
        {
            byte[] octets = network.BaseAddress.GetAddressBytes();
            int length = network.PrefixLength + AddressBits - octets.Length * 8;
            UInt128 mask = length == 0 ? UInt128.Zero : UInt128.MaxValue << (AddressBits - length);
            UInt128 prefix = BinaryPrimitives.ReadUInt128BigEndian(network.BaseAddress.MapToIPv6().GetAddressBytes()) & mask;
            // Addresses of ::ffff:0:0/96 are IPv4 however they are written.
            (length >= MappedBits && IsMapped(prefix) ? ipv4 : ipv6).Add((prefix, mask));
        }
        _ipv4 = [.. ipv4];
        _ipv6 = [.. ipv6];
    }

    /// <summary>Whether a client is in one of them.</summary>
    public bool Contains(ref ClientAddress client)
    {
        UInt128 address = BinaryPrimitives.ReadUInt128BigEndian(client.Address);
        foreach (ref readonly (UInt128 Prefix, UInt128 Mask) network in (IsMapped(address) ? _ipv4 : _ipv6).AsSpan())
            if ((address & network.Mask) == network.Prefix) return true;
        return false;
    }

    private static bool IsMapped(UInt128 address) => (ulong)(address >> 32) == 0xFFFF && address >> MappedBits == 0;
}
