namespace Dns.Protocol.Messages;

/// <summary>Immutable list of networks; <c>::/0</c> does not include IPv4 clients. A match allocates nothing.</summary>
public sealed class ClientNetworks
{
    private const int AddressBits = 128;
    private const int MappedBits = 96;

    private readonly (UInt128 Prefix, UInt128 Mask)[] _ipv4, _ipv6;

    /// <summary>Creates a list; an empty one matches no client.</summary>
    public ClientNetworks(IReadOnlyList<IPNetwork> networks)
    {
        List<(UInt128, UInt128)> ipv4 = [], ipv6 = [];
        foreach (IPNetwork network in networks)
        {
            byte[] octets = network.BaseAddress.GetAddressBytes();
            int length = network.PrefixLength + AddressBits - octets.Length * 8;
            UInt128 mask = length == 0 ? UInt128.Zero : UInt128.MaxValue << (AddressBits - length);
            UInt128 prefix =
                BinaryPrimitives.ReadUInt128BigEndian(network.BaseAddress.MapToIPv6().GetAddressBytes()) & mask;
            // Networks within ::ffff:0:0/96 are IPv4.
            (length >= MappedBits && IsMapped(prefix) ? ipv4 : ipv6).Add((prefix, mask));
        }
        _ipv4 = [.. ipv4];
        _ipv6 = [.. ipv6];
    }

    /// <summary>Whether it has all IPv4 and all IPv6 clients by one network each.</summary>
    public bool HasAll => Array.Exists(_ipv4, network => network.Mask == UInt128.MaxValue << (AddressBits - MappedBits))
        && Array.Exists(_ipv6, network => network.Mask == 0);

    /// <summary>Whether a client is in one of the networks.</summary>
    public bool Contains(ref ClientAddress client)
    {
        UInt128 address = BinaryPrimitives.ReadUInt128BigEndian(client.Address);
        foreach (ref readonly (UInt128 Prefix, UInt128 Mask) network in (IsMapped(address) ? _ipv4 : _ipv6).AsSpan())
            if ((address & network.Mask) == network.Prefix) return true;
        return false;
    }

    private static bool IsMapped(UInt128 address) => (ulong)(address >> 32) == 0xFFFF && address >> MappedBits == 0;
}
