using System.Net.NetworkInformation;

namespace Dns.Configuration.Rules;

/// <summary>The addresses of the interfaces of this machine.</summary>
public static class MachineAddresses
{
    /// <summary>
    /// The addresses, of link-local ones of IPv6 without their scope but with the name of the interface; of others the
    /// name is empty. None if the system does not say.
    /// </summary>
    public static IReadOnlyList<(IPAddress Address, string Interface)> All()
    {
        try
        {
            return [.. NetworkInterface.GetAllNetworkInterfaces().SelectMany(network =>
                network.GetIPProperties().UnicastAddresses.Select(unicast => unicast.Address.IsIPv6LinkLocal
                    ? (new IPAddress(unicast.Address.GetAddressBytes()), network.Name) : (unicast.Address, "")))];
        }
        catch (NetworkInformationException)
        {
            return [];
        }
    }

    /// <summary>Whether an interface has an address; null if the system does not say.</summary>
    public static bool? Has(IPAddress address)
    {
        try
        {
            return NetworkInterface.GetAllNetworkInterfaces().Any(network =>
                network.GetIPProperties().UnicastAddresses.Any(unicast => unicast.Address.Equals(address)));
        }
        catch (NetworkInformationException)
        {
            return null;
        }
    }

    /// <summary>The own listen address at which a message to a server would come back; null if it would not.</summary>
    public static IPEndPoint? FindOwnListener(IPEndPoint server, IReadOnlyList<ListenerAddress> listen)
    {
        foreach (ListenerAddress listener in listen)
        {
            IPEndPoint own = listener.EndPoint;
            if (own.Port != server.Port || own.AddressFamily != server.AddressFamily) continue;
            if (own.Address.Equals(server.Address)) return own;
            bool isWildcard = own.Address.Equals(IPAddress.Any) || own.Address.Equals(IPAddress.IPv6Any);
            // Where the system does not say, it is taken for another machine.
            if (isWildcard && (IPAddress.IsLoopback(server.Address) || Has(server.Address) == true)) return own;
        }
        return null;
    }
}
