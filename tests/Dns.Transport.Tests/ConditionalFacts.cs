using System.Net;
using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>A fact that needs the IPv6 loopback address.</summary>
internal sealed class IPv6FactAttribute : ContractFactAttribute
{
    public IPv6FactAttribute()
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
internal sealed class RawSocketFactAttribute : ContractFactAttribute
{
    public RawSocketFactAttribute()
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess)
        {
            Skip = "raw sockets need Linux and root";
        }
    }
}

/// <summary>A fact about Linux.</summary>
internal sealed class LinuxFactAttribute : ContractFactAttribute
{
    public LinuxFactAttribute()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip = "only Linux has it";
        }
    }
}

/// <summary>A theory about Linux.</summary>
internal sealed class LinuxTheoryAttribute : TheoryAttribute
{
    public LinuxTheoryAttribute()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip = "only Linux has it";
        }
    }
}
