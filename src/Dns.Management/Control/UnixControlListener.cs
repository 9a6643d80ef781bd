using System.Net.Sockets;
using Dns.Transport;

namespace Dns.Management;

/// <summary>A Unix domain socket, for its owner and its group.</summary>
internal sealed class UnixControlListener : IControlListener
{
    private const UnixFileMode Mode =
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite;

    // Connections beyond that are refused at once.
    private const int Waiting = 512;

    private readonly Socket _socket;

    private UnixControlListener(Socket socket) => _socket = socket;

    /// <summary>Makes the socket; one that a dead server left behind is replaced.</summary>
    /// <exception cref="IOException">Another server has it, or it cannot be made.</exception>
    public static UnixControlListener Bind(string path)
    {
        Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            if (Path.Exists(path))
            {
                if (IsAlive(path)) throw new IOException("another server has it");
                // A connection cannot distinguish a dead socket from another file.
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
            // "Address not available" to the runtime.
            if (!Directory.Exists(Path.GetDirectoryName(path))) throw new IOException("its directory does not exist", error);
            if (error is SocketException or UnauthorizedAccessException or ArgumentException) throw new IOException(error.Message, error);
            throw;
        }
    }

    /// <summary>Whether a path is that of a socket, and no symlink; where the system does not say, of an empty file.</summary>
    public static bool IsSocket(string path) =>
        OperatingSystem.IsLinux() && FileCalls.FactsOf(path) is { } facts ? facts.IsSocket : new FileInfo(path).Length == 0;

    /// <summary>Whether a server answers at a socket. Does not wait, whatever its backlog holds.</summary>
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
            // What may not be asked, or has no room in its backlog, is in use.
            return error.SocketErrorCode is SocketError.AccessDenied or SocketError.WouldBlock;
        }
    }

    /// <summary>Whether it is a certain process that answers at a socket; only Linux can say.</summary>
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

    /// <summary>A blocking one would wait for ever at a full backlog, which another user of the machine can bring about.</summary>
    private static Socket Create() => new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };

    /// <inheritdoc/>
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

    /// <summary>Closes the socket, which takes its file away: deleting it here could hit the next server's.</summary>
    public void Dispose() => _socket.Dispose();
}
