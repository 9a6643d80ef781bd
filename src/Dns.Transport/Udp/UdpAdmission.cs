using System.Net;
using Dns.Protocol;

namespace Dns.Transport;

/// <summary>Which senders are never answered, whatever they ask.</summary>
internal static class UdpAdmission
{
    /// <summary>
    /// Refuses port 0, which nobody can receive on, and the address asked itself: a spoofed query from there
    /// would make the server talk to itself.
    /// </summary>
    public static bool Refuses(in ClientAddress client, in ClientAddress asked) =>
        client.Port == 0 || (client.Port == asked.Port && client.Equals(asked));

    /// <summary>Whether an address stands for all addresses of its family.</summary>
    public static bool IsWildcard(IPAddress address) =>
        address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);
}
