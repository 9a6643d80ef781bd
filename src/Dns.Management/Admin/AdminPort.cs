using System.Net.Sockets;

namespace Dns.Management.Admin;

/// <summary>
/// The socket of the admin port, bound before the server starts, which continues without it. Only a server that takes
/// over binds it later, after the end of the other.
/// </summary>
public sealed class AdminPort(IPEndPoint address) : IDisposable
{
    private const int Backlog = 64;

    private Socket? _socket;

    /// <summary>The bound address, with the actual port instead of 0; before binding, the configured one.</summary>
    public IPEndPoint EndPoint { get; private set; } = address;

    public bool IsBound => _socket is not null;

    /// <summary>Binds and listens; connections wait to be accepted.</summary>
    public bool TryBind([NotNullWhen(false)] out string? problem)
    {
        Socket socket = new(EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (EndPoint.AddressFamily == AddressFamily.InterNetworkV6) socket.DualMode = false;
            if (OperatingSystem.IsWindows()) socket.ExclusiveAddressUse = true;
            socket.Bind(EndPoint);
            socket.Listen(Backlog);
        }
        catch (SocketException error)
        {
            socket.Dispose();
            string reason = error.SocketErrorCode switch
            {
                SocketError.AddressAlreadyInUse => "address in use by another program",
                SocketError.AccessDenied => "permission denied",
                SocketError.AddressNotAvailable => "this machine has no such address",
                _ => error.Message.ReplaceLineEndings(" "),
            };
            problem = $"cannot listen on {EndPoint}, the admin port: {reason}";
            return false;
        }
        _socket = socket;
        EndPoint = (IPEndPoint)socket.LocalEndPoint!;
        problem = null;
        return true;
    }

    /// <summary>The socket for the accept loop; closed with this object or by its new owner.</summary>
    public Socket Socket => _socket ?? throw new InvalidOperationException("not bound");

    public void Dispose() => _socket?.Dispose();
}
