using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Transport;

/// <summary>An address or the network around it, as a dictionary key without allocation.</summary>
internal readonly record struct AddressPrefix(ulong High, ulong Low)
{
    /// <summary>The whole address.</summary>
    public static AddressPrefix Client(ref ClientAddress client)
    {
        ReadOnlySpan<byte> octets = client.Address;
        return new AddressPrefix(
            BinaryPrimitives.ReadUInt64BigEndian(octets), BinaryPrimitives.ReadUInt64BigEndian(octets[8..]));
    }

    /// <summary>
    /// The /24 of an IPv4 address or the /56 of an IPv6 address, which is what one subscriber commonly holds.
    /// </summary>
    public static AddressPrefix Network(ref ClientAddress client)
    {
        AddressPrefix whole = Client(ref client);
        return client.IsIPv4
            ? whole with { Low = whole.Low & ~0xFFUL }
            : new AddressPrefix(whole.High & ~0xFFUL, 0);
    }
}
