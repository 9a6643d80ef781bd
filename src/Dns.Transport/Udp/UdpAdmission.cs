namespace Dns.Transport.Udp;

/// <summary>Senders that are never answered.</summary>
public static class UdpAdmission
{
    /// <summary>Refuses port 0, which cannot receive, and the queried address: a spoofed query would loop.</summary>
    public static bool Refuses(in ClientAddress client, in ClientAddress local) =>
        client.Port == 0 || (client.Port == local.Port && client.Equals(local));

    /// <summary>Whether an address is the wildcard of its family.</summary>
    internal static bool IsWildcard(IPAddress address) =>
        address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);
}
