using System.Net.Sockets;
using System.Runtime.Versioning;

namespace Dns.Server.Hosting.Services;

/// <summary>The connection of a replacing server to the one that it replaces.</summary>
[SupportedOSPlatform("linux")]
internal sealed class TakeoverRequest : IDisposable
{
    private const int TimeoutMs = 10_000;
    private readonly Socket _connection;

    private TakeoverRequest(Socket connection, InheritedSockets inherited, int process) =>
        (_connection, Inherited, Process) = (connection, inherited, process);

    /// <summary>The other server's sockets. The listeners take them; this object's creator disposes them.</summary>
    public InheritedSockets Inherited { get; }

    /// <summary>The other server's process id; 0 if it is not visible here.</summary>
    public int Process { get; }

    /// <summary>Requests the sockets of the server that listens on an address.</summary>
    /// <param name="first">The first address of the settings.</param>
    /// <param name="problem">Why there are none, for the operator.</param>
    public static TakeoverRequest? Send(IPEndPoint first, out string? problem)
    {
        Socket connection = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            // Also how long to wait while the backlog is full; any local user may have taken the name.
            connection.SendTimeout = TimeoutMs;
            connection.ReceiveTimeout = TimeoutMs;
            connection.Connect(TakeoverName.Of(first));
            if (!DescriptorPassing.IsTrusted(connection, out int process))
                throw new SocketException((int)SocketError.AccessDenied);
            InheritedSockets inherited = new(DescriptorPassing.Receive(connection));
            problem = null;
            return new TakeoverRequest(connection, inherited, process);
        }
        catch (SocketException error)
        {
            connection.Dispose();
            problem = error.SocketErrorCode switch
            {
                SocketError.ConnectionRefused => $"no server to take over listens on {first}",
                SocketError.WouldBlock => $"cannot take over from the server on {first}: it does not answer, or "
                    + "another takeover is in progress",
                _ => $"cannot take over from the server on {first}: {error.Message}",
            };
            return null;
        }
    }

    /// <summary>Notifies the other server that this one is ready, and waits for its end.</summary>
    public async Task CompleteAsync(CancellationToken cancellation)
    {
        byte[] word = [1];
        try
        {
            await _connection.SendAsync(word, cancellation).ConfigureAwait(false);
            await _connection.ReceiveAsync(word, cancellation).ConfigureAwait(false);
        }
        catch (SocketException)
        {
            // It has ended already: the sockets are ours alone.
        }
        Dispose();
    }

    public void Dispose() => _connection.Dispose();
}
