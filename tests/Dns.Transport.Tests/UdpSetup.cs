using System.Net;
using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>Which listener is tested, and where: on the loopback address or across two namespaces.</summary>
internal sealed record UdpSetup(UdpListenerKind Kind, VethPair? Network = null)
{
    public static implicit operator UdpSetup(UdpListenerKind kind) => new(kind);

    /// <summary>Binds a listener; the address is that of the loopback interface or a wildcard.</summary>
    public IUdpListener Bind(IPEndPoint address, ref TransportOptions options)
    {
        if (Network is null)
        {
            return UdpListeners.Bind(Kind, address, options);
        }

        options = options with { OpenLater = Network.Servers.Run };
        TransportOptions bound = options;
        return Network.Servers.Run(() => UdpListeners.Bind(Kind, VethPair.AddressFor(address), bound));
    }

    /// <summary>An address of a listener on a wildcard.</summary>
    public IPEndPoint AddressOf(IPAddress loopback, int port)
    {
        IPEndPoint address = new(loopback, port);
        return Network is null ? address : new IPEndPoint(VethPair.AddressFor(address).Address, port);
    }

    /// <summary>Creates a socket in the server's namespace.</summary>
    public Socket Server(Func<Socket> create) => Network is null ? create() : Network.Servers.Run(create);

    /// <summary>Creates a socket in the clients' namespace.</summary>
    public Socket Client(Func<Socket> create) => Network is null ? create() : Network.Clients.Run(create);
}
