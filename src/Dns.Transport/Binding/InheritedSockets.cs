using System.Net.Sockets;

namespace Dns.Transport.Binding;

/// <summary>
/// Sockets bound before this process started, by a service manager (socket activation) or by the server that it
/// replaces. <see cref="ListenerSet"/> takes those of its addresses instead of binding; the creator then disposes this
/// object, which closes the rest. Not thread-safe.
/// </summary>
public sealed class InheritedSockets : IDisposable
{
    private readonly List<Socket> _datagrams = [];
    private readonly List<(Socket Socket, ListenerKind Kind)> _streams = [];
    private readonly List<string> _problems = [];

    /// <summary>Takes ownership of descriptors; closes and reports those of no UDP or listening TCP socket.</summary>
    public InheritedSockets(IEnumerable<InheritedDescriptor> descriptors)
    {
        foreach (InheritedDescriptor descriptor in descriptors) Take(descriptor);
    }

    /// <summary>Problems with the descriptors, one line each.</summary>
    public IReadOnlyList<string> Problems => _problems;

    /// <summary>The addresses of the sockets not taken yet, each once.</summary>
    public IReadOnlyList<ListenerAddress> Listeners =>
    [
        .. _datagrams.Select(socket => new ListenerAddress((IPEndPoint)socket.LocalEndPoint!))
            .Concat(_streams.Select(
                stream => new ListenerAddress((IPEndPoint)stream.Socket.LocalEndPoint!, stream.Kind))).Distinct(),
    ];

    /// <summary>Closes the sockets that were not taken.</summary>
    public void Dispose()
    {
        _datagrams.ForEach(socket => socket.Dispose());
        _streams.ForEach(stream => stream.Socket.Dispose());
        _datagrams.Clear();
        _streams.Clear();
    }

    /// <summary>The inherited UDP sockets of an address, then owned by the caller; empty for none.</summary>
    internal Socket[] TakeDatagrams(IPEndPoint endPoint)
    {
        Socket[] taken = [.. _datagrams.Where(socket => endPoint.Equals(socket.LocalEndPoint))];
        _datagrams.RemoveAll(taken.Contains);
        foreach (Socket socket in taken)
        {
            // The batched listener blocks in its receive call; on a non-blocking descriptor it would spin.
            if (OperatingSystem.IsLinux()) LinuxSocketCalls.SetBlocking(socket.SafeHandle);
        }
        return taken;
    }

    /// <summary>The inherited TCP socket of a listener, then owned by the caller; null for none.</summary>
    internal Socket? TakeStream(ListenerAddress address)
    {
        Socket[] taken =
            [.. _streams
                .Where(stream => stream.Kind == address.Kind && address.EndPoint.Equals(stream.Socket.LocalEndPoint))
                .Select(stream => stream.Socket)];
        _streams.RemoveAll(stream => taken.Contains(stream.Socket));
        foreach (Socket more in taken.Skip(1)) more.Dispose();
        return taken.FirstOrDefault();
    }

    private void Take(InheritedDescriptor descriptor)
    {
        SafeSocketHandle handle = new(descriptor.Number, ownsHandle: true);
        try
        {
            Socket socket = new(handle);
            if (TryTake(socket, descriptor.Kind)) return;
            socket.Dispose();
        }
        catch (SocketException)
        {
            handle.Dispose();
        }
        string wanted = descriptor.Kind == ListenerKind.Plain
            ? "is neither a bound UDP socket nor a listening TCP socket"
            : $"for {descriptor.Kind.ToString().ToUpperInvariant()} is not a listening TCP socket";
        _problems.Add($"inherited descriptor {descriptor.Number} {wanted}");
    }

    private bool TryTake(Socket socket, ListenerKind kind)
    {
        switch (socket)
        {
            case { LocalEndPoint: not IPEndPoint { Port: > 0 } }:
                return false;
            case { SocketType: SocketType.Dgram, ProtocolType: ProtocolType.Udp } when kind == ListenerKind.Plain:
                _datagrams.Add(socket);
                return true;
            case { SocketType: SocketType.Stream, ProtocolType: ProtocolType.Tcp } when IsListening(socket):
                _streams.Add((socket, kind));
                return true;
            default:
                return false;
        }
    }

    private static bool IsListening(Socket socket) =>
        socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.AcceptConnection) is int and not 0;
}
