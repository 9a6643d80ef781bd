using System.Buffers.Binary;
using System.Net;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>Address prefixes of clients; IPv4 as ::ffff:a.b.c.d. A test compares 16 octets for each prefix and allocates nothing.</summary>
internal sealed class ClientPrefixes
{
    private readonly (UInt128 Prefix, UInt128 Mask)[] _prefixes;

    internal ClientPrefixes(IReadOnlyList<IPNetwork> networks)
    {
        _prefixes = new (UInt128, UInt128)[networks.Count];
        for (int i = 0; i < _prefixes.Length; i++)
        {
            byte[] octets = networks[i].BaseAddress.MapToIPv6().GetAddressBytes();
            bool isIPv4 = networks[i].BaseAddress.AddressFamily == System.Net.Sockets.AddressFamily.InterNetwork;
            int length = networks[i].PrefixLength + (isIPv4 ? 96 : 0);
            UInt128 mask = length == 0 ? UInt128.Zero : UInt128.MaxValue << (128 - length);
            _prefixes[i] = (BinaryPrimitives.ReadUInt128BigEndian(octets) & mask, mask);
        }
    }

    /// <summary>Whether a client is in one of them.</summary>
    internal bool Hold(ref ClientAddress client)
    {
        UInt128 address = BinaryPrimitives.ReadUInt128BigEndian(client.Address);
        foreach (ref readonly (UInt128 Prefix, UInt128 Mask) entry in _prefixes.AsSpan())
            if ((address & entry.Mask) == entry.Prefix) return true;
        return false;
    }
}
