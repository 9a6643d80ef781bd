using System.IO.Pipes;
using System.Net.Sockets;
using System.Text.Json;

namespace Dns.Management.Control;

/// <summary>Sends requests to a running server over its control socket.</summary>
public static class ControlClient
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(3), StopTimeout = TimeSpan.FromSeconds(30);

    /// <summary>The maximum length of an answer; longer ones are not from our server.</summary>
    private const int MaxReplyOctets = 256 << 20;

    /// <summary>Finds the only running server, or the one with a port.</summary>
    /// <exception cref="ControlException">No server is running, or several.</exception>
    public static string FindServer(int? port = null)
    {
        List<string> refused = [];
        IReadOnlyList<string> alive = FindServers(port, refused);
        string which = port is null ? "no server runs here" : $"no server runs here on port {port}";
        return alive.Count switch
        {
            1 => alive[0],
            0 when refused.Count > 0 => throw new ControlException(string.Join('\n', refused)),
            0 when ControlPaths.FindDenied() is { } denied => throw new ControlException(
                $"permission denied: {Environment.UserName} may not look into {denied}, where the sockets of servers "
                    + "are; ask as root, or as one of the group of that directory"),
            0 => throw new ControlException(which + ", or its control socket is elsewhere (--socket, --config)"),
            _ =>
                throw new ControlException(
                    "several servers run here; choose one with --socket: " + string.Join(", ", alive)),
        };
    }

    /// <summary>
    /// Finds the trusted control sockets with a listening server: all, or those with a port. A command run by a service
    /// manager for a service applies to the process of that service (<c>MAINPID</c>, systemd.exec(5)) only.
    /// </summary>
    /// <param name="refused">Receives a line for each untrusted one; null = they are ignored.</param>
    public static IReadOnlyList<string> FindServers(int? port = null, List<string>? refused = null) =>
        [.. ControlPaths.FindAll(port)
            .Where(path => OperatingSystem.IsWindows() || IsOfServer(path, refused) && IsOfService(path))];

    /// <summary>
    /// Whether a server runs on a socket that settings name; for a command of a service as in
    /// <see cref="FindServers"/>.
    /// </summary>
    public static bool IsRunning(string path) => OperatingSystem.IsWindows()
        ? ControlPaths.HasPipe(path)
        : !SocketPath.IsUnfit(path) && UnixControlListener.IsAlive(path) && IsOfService(path);

    private static bool IsOfService(string path) =>
        !int.TryParse(Environment.GetEnvironmentVariable("MAINPID"), out int process)
        || UnixControlListener.IsOf(process, path);

    /// <summary>Whether a trusted server listens on a found socket.</summary>
    private static bool IsOfServer(string path, List<string>? refused)
    {
        // A dead socket of another user is not an error.
        if (!UnixControlListener.IsAlive(path)) return false;
        if (ControlTrust.FindFault(path) is not { } fault) return true;
        refused?.Add(NotUsed(path, fault));
        return false;
    }

    private static string NotUsed(string path, string fault) => $"{path} is not used: {fault}";

    /// <summary>Connects to a server; the caller owns the stream.</summary>
    /// <exception cref="ControlException">No server is listening, or access is denied.</exception>
    public static async Task<Stream> ConnectAsync(string path, CancellationToken cancellation)
    {
        try
        {
            return await OpenAsync(path, cancellation);
        }
        catch (Exception error) when (IsExpected(error))
        {
            throw new ControlException(Describe(path, error));
        }
    }

    /// <summary>Sends a request and waits for its answer.</summary>
    /// <exception cref="ControlException">No server answers.</exception>
    public static async Task<ControlReply> SendAsync(
        string path, Stream stream, ControlRequest request, CancellationToken cancellation)
    {
        try
        {
            byte[] line = [.. JsonSerializer.SerializeToUtf8Bytes(request, ControlJson.Default.ControlRequest),
                (byte)'\n'];
            if (line.Length > ControlRequest.MaxOctets) throw new ControlException("the request is too long");
            await stream.WriteAsync(line, cancellation);
            byte[] reply = await ReadLineAsync(stream, cancellation);
            return JsonSerializer.Deserialize(reply, ControlJson.Default.ControlReply)
                ?? throw new ControlException("the server answered with nothing");
        }
        catch (Exception error) when (IsExpected(error))
        {
            throw new ControlException(Describe(path, error));
        }
    }

    /// <summary>Waits for the end of a stopping server, which closes the stream.</summary>
    /// <exception cref="ControlException">It is still running after half a minute.</exception>
    public static async Task WaitForEndAsync(Stream stream, CancellationToken cancellation)
    {
        try
        {
            await stream.ReadAsync(new byte[1], cancellation).AsTask().WaitAsync(StopTimeout, cancellation);
        }
        catch (IOException)
        {
            // A process may end without closing the connection cleanly.
        }
        catch (TimeoutException)
        {
            throw new ControlException("the server is stopping, but still runs");
        }
    }

    private static bool IsExpected(Exception error) =>
        error is SocketException or IOException or JsonException or TimeoutException or UnauthorizedAccessException;

    private static string Describe(string path, Exception error) => error switch
    {
        SocketException { SocketErrorCode: SocketError.AccessDenied } or UnauthorizedAccessException =>
            $"{path}: permission denied; ask as the user that the server runs as, or as one of its group",
        SocketException { SocketErrorCode: SocketError.ConnectionRefused or SocketError.AddressNotAvailable } =>
            $"{path}: no server runs there",
        SocketException when !Path.Exists(path) => $"{path}: no server runs there",
        EndOfStreamException => $"{path}: the server ended before it answered",
        _ => $"{path}: {error.Message}",
    };

    private static async Task<Stream> OpenAsync(string path, CancellationToken cancellation)
    {
        if (OperatingSystem.IsWindows())
        {
            NamedPipeClientStream pipe =
                new(".", path, PipeDirection.InOut, PipeOptions.Asynchronous | PipeOptions.CurrentUserOnly);
            await pipe.ConnectAsync(ConnectTimeout, cancellation);
            return pipe;
        }
        if (SocketPath.IsUnfit(path))
            throw new ControlException($"{path}: no server runs there: expected {SocketPath.ExpectedFor(path)}");
        Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), cancellation).AsTask()
                .WaitAsync(ConnectTimeout, cancellation);
            // Check a found socket again after connecting, when it can no longer be exchanged; a path given by the
            // operator is trusted.
            if (ControlPaths.IsAutomatic(path) && ControlTrust.FindFault(path, socket) is { } fault)
                throw new ControlException(NotUsed(path, fault));
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static async Task<byte[]> ReadLineAsync(Stream stream, CancellationToken cancellation)
    {
        MemoryStream line = new();
        byte[] buffer = new byte[64 * 1024];
        while (line.Length < MaxReplyOctets)
        {
            int read = await stream.ReadAsync(buffer, cancellation);
            int end = buffer.AsSpan(0, read).IndexOf((byte)'\n');
            line.Write(buffer, 0, end < 0 ? read : end);
            if (end >= 0) return line.ToArray();
            if (read == 0) throw new EndOfStreamException();
        }
        throw new IOException("the answer is too long");
    }
}
