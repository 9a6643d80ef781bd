using System.Net;
using System.Net.NetworkInformation;

namespace Dns.Server;

/// <summary>The addresses of the interfaces of this machine.</summary>
internal static class MachineAddresses
{
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
}
