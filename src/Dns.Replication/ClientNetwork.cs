namespace Dns.Replication;

/// <summary>Whom shares are counted to: an IPv4 address, or the /64 of an IPv6 address; a port is no client.</summary>
internal static class ClientNetwork
{
    /// <summary>A number that only addresses of one client have.</summary>
    public static UInt128 Of(ClientAddress client)
    {
        UInt128 address = BinaryPrimitives.ReadUInt128BigEndian(client.Address);
        return client.IsIPv4 ? address : address >> 64;
    }
}
