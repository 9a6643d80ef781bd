using System.Net;
using System.Net.Sockets;

namespace Dns.Transport;

/// <summary>
/// Sockets that were bound before this server came: by a service manager that starts it on demand, or by the server
/// that it replaces. <see cref="ListenerSet"/> takes those of its addresses instead of binding; whoever made this
/// object disposes it afterwards, which closes what was not taken. Not safe for several threads.
/// </summary>
public sealed class HandedSockets : IDisposable
{
    private readonly List<Socket> _datagrams = [];
    private readonly List<Socket> _streams = [];
    private readonly List<string> _problems = [];

    /// <summary>Takes descriptors over; from now on they belong to this object.</summary>
    /// <param name="descriptors">Numbers of open descriptors of this process.</param>
    /// <remarks>A descriptor that is no UDP socket and no listening TCP socket is closed, and a problem.</remarks>
    public HandedSockets(IEnumerable<int> descriptors)
    {
        foreach (int descriptor in descriptors)
        {
            Take(descriptor);
        }
    }

    /// <summary>What is wrong with the descriptors, one line each.</summary>
    public IReadOnlyList<string> Problems => _problems;

    /// <summary>The addresses of the sockets that nobody has taken, each once.</summary>
    public IReadOnlyList<IPEndPoint> EndPoints =>
        [.. _datagrams.Concat(_streams).Select(socket => (IPEndPoint)socket.LocalEndPoint!).Distinct()];

    /// <summary>Closes what nobody has taken.</summary>
    public void Dispose()
    {
        _datagrams.Concat(_streams).ToList().ForEach(socket => socket.Dispose());
        _datagrams.Clear();
        _streams.Clear();
    }

    /// <summary>The UDP sockets of an address, which the caller then owns; none when none was handed over.</summary>
    internal Socket[] TakeDatagrams(IPEndPoint endPoint)
    {
        Socket[] taken = Remove(_datagrams, endPoint);
        foreach (Socket socket in taken)
        {
            // The batched listener waits in its receive call; a descriptor left non-blocking would have it spin.
            if (OperatingSystem.IsLinux())
            {
                LinuxSocketCalls.SetBlocking(socket.SafeHandle);
            }
        }

        return taken;
    }

    /// <summary>A listening TCP socket of an address, which the caller then owns; null when none was handed over.</summary>
    internal Socket? TakeStream(IPEndPoint endPoint)
    {
        Socket[] taken = Remove(_streams, endPoint);
        foreach (Socket more in taken.Skip(1))
        {
            more.Dispose();
        }

        return taken.FirstOrDefault();
    }

    private static Socket[] Remove(List<Socket> sockets, IPEndPoint endPoint)
    {
        Socket[] taken = [.. sockets.Where(socket => endPoint.Equals(socket.LocalEndPoint))];
        sockets.RemoveAll(taken.Contains);
        return taken;
    }

    private void Take(int descriptor)
    {
        SafeSocketHandle handle = new(descriptor, ownsHandle: true);
        try
        {
            Socket socket = new(handle);
            List<Socket>? list = socket switch
            {
                { LocalEndPoint: not IPEndPoint { Port: > 0 } } => null,
                { SocketType: SocketType.Dgram, ProtocolType: ProtocolType.Udp } => _datagrams,
                { SocketType: SocketType.Stream, ProtocolType: ProtocolType.Tcp } when IsListening(socket) => _streams,
                _ => null,
            };
            if (list is not null)
            {
                list.Add(socket);
                return;
            }

            socket.Dispose();
        }
        catch (SocketException)
        {
            handle.Dispose();
        }

        _problems.Add($"descriptor {descriptor} that was handed over is neither a bound UDP socket nor a listening TCP socket");
    }

    private static bool IsListening(Socket socket) =>
        socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.AcceptConnection) is int and not 0;
}
