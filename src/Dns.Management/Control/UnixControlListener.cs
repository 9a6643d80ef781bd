using System.Net.Sockets;

namespace Dns.Management.Control;

/// <summary>A Unix domain socket, for its owner and its group.</summary>
public sealed class UnixControlListener : IControlListener
{
    private const UnixFileMode Mode =
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite;

    // Further connections are refused at once.
    private const int Waiting = 512;

    private readonly Socket _socket;

    private UnixControlListener(Socket socket) => _socket = socket;

    /// <summary>Creates the socket, replacing that of a dead server.</summary>
    /// <exception cref="IOException">Another server has it, or it cannot be created.</exception>
    public static UnixControlListener Bind(string path)
    {
        if (SocketPath.IsUnfit(path)) throw new IOException("expected " + SocketPath.ExpectedFor(path));
        Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            if (Path.Exists(path))
            {
                if (IsAlive(path)) throw new IOException("another server has it");
                // A connection attempt cannot distinguish a dead socket from another file.
                if (!IsSocket(path)) throw new IOException("there is a file that is no socket");
                File.Delete(path);
            }
            // No client can connect before it listens, and by then the file has its mode.
            socket.Bind(new UnixDomainSocketEndPoint(path));
            if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(path, Mode);
            socket.Listen(Waiting);
            return new UnixControlListener(socket);
        }
        catch (Exception error)
        {
            socket.Dispose();
            if (error is IOException) throw;
            // .NET reports this as "Address not available".
            if (!Directory.Exists(Path.GetDirectoryName(path)))
                throw new IOException("its directory does not exist", error);
            if (error is SocketException or UnauthorizedAccessException)
                throw new IOException(error.Message, error);
            throw;
        }
    }

    /// <summary>
    /// Whether a path is a socket, not a symlink; on systems without that information, an empty file.
    /// </summary>
    public static bool IsSocket(string path) =>
        OperatingSystem.IsLinux() && FileCalls.FactsOf(path) is { } facts
            ? facts.IsSocket : new FileInfo(path).Length == 0;

    /// <summary>Whether a server is listening on a socket. Does not block on a full backlog.</summary>
    public static bool IsAlive(string path)
    {
        using Socket socket = Create();
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(path));
            return true;
        }
        catch (SocketException error)
        {
            // A socket without permission or with a full backlog is in use.
            return error.SocketErrorCode is SocketError.AccessDenied or SocketError.WouldBlock;
        }
    }

    /// <summary>Whether a given process is listening on a socket; Linux only.</summary>
    public static bool IsOf(int process, string path)
    {
        using Socket socket = Create();
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(path));
            return OperatingSystem.IsLinux() && DescriptorPassing.IsTrusted(socket, out int owner) && owner == process;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    /// <summary>A blocking connect would wait forever on a full backlog, which any local user can cause.</summary>
    private static Socket Create() =>
        new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };

    public async Task<Stream> AcceptAsync(CancellationToken cancellation)
    {
        try
        {
            return new NetworkStream(await _socket.AcceptAsync(cancellation).ConfigureAwait(false), ownsSocket: true);
        }
        catch (SocketException error)
        {
            throw new IOException(error.Message, error);
        }
    }

    /// <summary>Closing the socket deletes its file; deleting it here could delete that of the next server.</summary>
    public void Dispose() => _socket.Dispose();
}
