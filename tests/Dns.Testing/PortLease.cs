using System.Net;
using System.Net.Sockets;

namespace Dns.Testing;

/// <summary>
/// A port number for UDP and TCP that stays free, on every address, for whoever holds the lease.
/// </summary>
/// <remarks>
/// A port of the system's choice cannot be bound a second time without a race: once it is closed, or bound for one
/// protocol or address only, the system may give the number to any other socket. These ports lie below the range that
/// the system chooses from, and no two leases of one network namespace have the same number, in whatever process they
/// are. The lease is a Unix socket in the abstract namespace of Linux, which ends with its process; elsewhere the
/// number is only unlikely to be taken.
/// </remarks>
public sealed class PortLease : IDisposable
{
    private const int Lowest = 10_000, Highest = 30_000, Attempts = 1_000;

    private readonly Socket? _guard;

    private PortLease(int port, Socket? guard) => (Port, _guard) = (port, guard);

    /// <summary>The number.</summary>
    public int Port { get; }

    /// <summary>The port on the IPv4 loopback address.</summary>
    public IPEndPoint Loopback => new(IPAddress.Loopback, Port);

    /// <summary>Takes a port that nothing listens on.</summary>
    public static PortLease Take()
    {
        for (int attempt = 0; attempt < Attempts; attempt++)
        {
            int port = Random.Shared.Next(Lowest, Highest);
            if (!TryGuard(port, out Socket? guard)) continue;
            if (IsFree(port)) return new PortLease(port, guard);
            guard?.Dispose();
        }

        throw new InvalidOperationException($"no port from {Lowest} to {Highest} is free");
    }

    /// <summary>Ends the lease; sockets of the holder are closed before.</summary>
    public void Dispose() => _guard?.Dispose();

    private static bool TryGuard(int port, out Socket? guard)
    {
        guard = null;
        if (!OperatingSystem.IsLinux()) return true;
        Socket socket = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        try
        {
            socket.Bind(new UnixDomainSocketEndPoint($"\0dns-port-lease-{port}"));
            guard = socket;
            return true;
        }
        catch (SocketException)
        {
            socket.Dispose();
            return false;
        }
    }

    /// <summary>Whether no socket has the port, on any address.</summary>
    private static bool IsFree(int port)
    {
        // A socket bound as a trial would stay open for a moment in every process that is started meanwhile.
        if (OperatingSystem.IsLinux()) return !SocketTables.SelectMany(File.ReadLines).Any(line => HasPort(line, port));
        try
        {
            foreach ((SocketType type, ProtocolType protocol) in
                     new[] { (SocketType.Dgram, ProtocolType.Udp), (SocketType.Stream, ProtocolType.Tcp) })
            {
                using Socket v4 = new(AddressFamily.InterNetwork, type, protocol);
                v4.Bind(new IPEndPoint(IPAddress.Any, port));
                if (!Socket.OSSupportsIPv6) continue;
                using Socket v6 = new(AddressFamily.InterNetworkV6, type, protocol) { DualMode = false };
                v6.Bind(new IPEndPoint(IPAddress.IPv6Any, port));
            }

            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    /// <summary>Those of the thread's network namespace.</summary>
    private static IEnumerable<string> SocketTables =>
        new[] { "udp", "udp6", "tcp", "tcp6" }.Select(name => "/proc/thread-self/net/" + name).Where(File.Exists);

    /// <summary>Whether a line such as <c>12: 0100007F:1F90 00000000:0000 0A</c> has it as the local port.</summary>
    private static bool HasPort(string line, int port) =>
        line.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [_, var local, ..]
        && local.EndsWith($":{port:X4}", StringComparison.Ordinal);
}
