using System.Net.Sockets;

namespace Dns.Transport.Binding;

/// <summary>Creates listening sockets. Throws <see cref="SocketException"/>; the callers turn it into values.</summary>
internal static class ListenSocket
{
    // Connections in the accept queue; the kernel may lower it.
    private const int Backlog = 1024;

    private const int LinuxSolSocket = 1;
    private const int LinuxReuseAddress = 2;
    private const int LinuxReusePort = 15;
    private const int LinuxIPv4 = 0;
    private const int LinuxIPv4MtuDiscover = 10;
    private const int LinuxIPv6 = 41;
    private const int LinuxIPv6MtuDiscover = 23;

    /// <summary>IP_PMTUDISC_OMIT and IPV6_PMTUDISC_OMIT, Linux 3.15.</summary>
    private const int LinuxOmitMtuDiscovery = 5;

    private const int LinuxSendBufferForce = 32;
    private const int LinuxReceiveBufferForce = 33;
    private const int WindowsUdpConnectionReset = unchecked((int)0x9800000C);

    /// <summary>Whether several sockets can share a port with an even distribution of datagrams.</summary>
    public static bool CanSharePort => OperatingSystem.IsLinux();

    /// <summary>Whether the system permits sharing a port where it could; tested by trying.</summary>
    public static bool MaySharePort()
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        return !CanSharePort || TrySet(socket, LinuxReusePort, 1);
    }

    /// <summary>
    /// Binds the UDP sockets of an address; one where sharing is not permitted. The first is bound exclusively, which
    /// detects other users of the port, and shared only then: two servers that start at once cannot both get it.
    /// </summary>
    public static Socket[] BindUdp(IPEndPoint endPoint, int count, int bufferBytes)
    {
        Socket first = Bind(CreateUdp(endPoint.AddressFamily, bufferBytes), endPoint);
        try
        {
            IPEndPoint bound = (IPEndPoint)first.LocalEndPoint!;
            return TryAllowSharing(first, UdpAdmission.IsWildcard(bound.Address))
                ? [first, .. BindMoreUdp(bound, count - 1, bufferBytes)]
                : [first];
        }
        catch
        {
            first.Dispose();
            throw;
        }
    }

    /// <summary>
    /// The UDP sockets of an address: inherited ones plus as many more as configured and permitted, or newly bound
    /// ones. A port held by another user's socket cannot be shared; then only the inherited ones are used.
    /// </summary>
    public static Socket[] BindUdp(IPEndPoint endPoint, int count, TransportOptions options)
    {
        Socket[] inherited = options.Inherited?.TakeDatagrams(endPoint) ?? [];
        if (inherited.Length == 0) return BindUdp(endPoint, count, options.SocketBufferBytes);
        foreach (Socket socket in inherited)
        {
            IgnorePathMtu(socket);
            RequestBuffers(socket, options.SocketBufferBytes);
        }
        try
        {
            bool canShare = TryAllowSharing(inherited[0], UdpAdmission.IsWildcard(endPoint.Address));
            int more = canShare ? Math.Max(0, count - inherited.Length) : 0;
            return [.. inherited, .. BindMoreUdp(endPoint, more, options.SocketBufferBytes)];
        }
        catch (SocketException)
        {
            return inherited;
        }
    }

    /// <summary>Binds more UDP sockets to a port of this process, on this address or the wildcard.</summary>
    public static Socket[] BindMoreUdp(IPEndPoint endPoint, int count, int bufferBytes)
    {
        List<Socket> sockets = new(count);
        try
        {
            while (sockets.Count < count)
            {
                Socket socket = CreateUdp(endPoint.AddressFamily, bufferBytes);
                bool shared = TryAllowSharing(socket, withWildcard: true);
                sockets.Add(Bind(socket, endPoint));
                if (!shared) break;
            }
            return [.. sockets];
        }
        catch
        {
            sockets.ForEach(socket => socket.Dispose());
            throw;
        }
    }

    /// <summary>The TCP socket of an address, inherited or newly bound.</summary>
    public static Socket BindTcp(ListenerAddress address, TcpLimits limits, InheritedSockets? inherited) =>
        inherited?.TakeStream(address) ?? BindTcp(address.EndPoint, limits);

    /// <summary>Binds a TCP socket and listens, since only listening proves that the port is free.</summary>
    public static Socket BindTcp(IPEndPoint endPoint, TcpLimits limits)
    {
        Socket socket = new(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            KeepToOneFamily(socket);
            if (OperatingSystem.IsWindows()) socket.ExclusiveAddressUse = true;
            if (limits.SendBufferBytes > 0) socket.SendBufferSize = limits.SendBufferBytes;
            socket.Bind(endPoint);
            socket.Listen(Backlog);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static Socket Bind(Socket socket, IPEndPoint endPoint)
    {
        try
        {
            socket.Bind(endPoint);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static Socket CreateUdp(AddressFamily family, int bufferBytes)
    {
        Socket socket = new(family, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            KeepToOneFamily(socket);
            IgnorePathMtu(socket);
            RequestBuffers(socket, bufferBytes);
            if (OperatingSystem.IsWindows())
            {
                // Otherwise an ICMP "port unreachable" for one client's answer fails the next receive.
                socket.IOControl(WindowsUdpConnectionReset, [0, 0, 0, 0], null);
            }
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static void KeepToOneFamily(Socket socket)
    {
        if (socket.AddressFamily == AddressFamily.InterNetworkV6) socket.DualMode = false;
    }

    /// <summary>
    /// Enables port sharing (SO_REUSEPORT). Where that is not permitted, SO_REUSEADDR still lets single addresses be
    /// bound beside a wildcard; other programs could use it too, so no other socket gets it.
    /// </summary>
    private static bool TryAllowSharing(Socket socket, bool withWildcard)
    {
        if (!CanSharePort || TrySet(socket, LinuxReusePort, 1)) return true;
        if (withWildcard) Set(socket, LinuxReuseAddress, 1);
        return false;
    }

    /// <summary>
    /// Ignores ICMP messages about the path MTU, which can be forged to make the kernel fragment answers; fragments can
    /// be replaced (RFC 9715). Answers fit common paths.
    /// </summary>
    private static void IgnorePathMtu(Socket socket)
    {
        if (OperatingSystem.IsLinux())
        {
            bool isIPv6 = socket.AddressFamily == AddressFamily.InterNetworkV6;
            TrySet(socket, isIPv6 ? LinuxIPv6 : LinuxIPv4, isIPv6 ? LinuxIPv6MtuDiscover : LinuxIPv4MtuDiscover,
                LinuxOmitMtuDiscovery);
        }
    }

    /// <summary>Requests large buffers; on Linux first above the system's maximum, which needs a privilege.</summary>
    private static void RequestBuffers(Socket socket, int bytes)
    {
        if (bytes <= 0) return;
        if (!(OperatingSystem.IsLinux() && TrySet(socket, LinuxReceiveBufferForce, bytes)))
            socket.ReceiveBufferSize = bytes;
        if (!(OperatingSystem.IsLinux() && TrySet(socket, LinuxSendBufferForce, bytes))) socket.SendBufferSize = bytes;
    }

    private static bool TrySet(Socket socket, int option, int value) => TrySet(socket, LinuxSolSocket, option, value);

    private static bool TrySet(Socket socket, int level, int option, int value)
    {
        try
        {
            Set(socket, level, option, value);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static void Set(Socket socket, int option, int value) => Set(socket, LinuxSolSocket, option, value);

    private static void Set(Socket socket, int level, int option, int value) => socket.SetRawSocketOption(
        level, option, MemoryMarshal.AsBytes(new ReadOnlySpan<int>(in value)));
}
