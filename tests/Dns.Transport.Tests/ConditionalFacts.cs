using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace Dns.Transport.Tests;

/// <summary>A fact that needs the IPv6 loopback address.</summary>
internal sealed class IPv6FactAttribute : FactAttribute
{
    public IPv6FactAttribute([CallerFilePath] string? file = null, [CallerLineNumber] int line = -1) : base(file, line)
    {
        try
        {
            using Socket socket = new(AddressFamily.InterNetworkV6, SocketType.Dgram, ProtocolType.Udp);
            socket.Bind(new IPEndPoint(IPAddress.IPv6Loopback, 0));
        }
        catch (SocketException)
        {
            Skip = "this machine has no ::1";
        }
    }
}

/// <summary>A fact that forges datagrams, which needs a raw socket and so root.</summary>
internal sealed class RawSocketFactAttribute : FactAttribute
{
    public RawSocketFactAttribute([CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line)
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess) Skip = "raw sockets need Linux and root";
    }
}
