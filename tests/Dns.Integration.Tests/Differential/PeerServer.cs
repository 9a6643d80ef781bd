using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>
/// Another name server, started in a folder of its own on a free port of the loopback address and ended by its process.
/// </summary>
internal sealed class PeerServer : IDisposable
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(3);

    private readonly Process _process;
    private readonly PortLease _port = PortLease.Take();
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly byte[] _buffer = new byte[ushort.MaxValue];
    private readonly QueryMessage _marker;
    private readonly Action? _reload;
    private NetworkStream? _stream;
    private bool _isDisposed;

    /// <summary>Starts a server.</summary>
    /// <param name="kind">Which one.</param>
    /// <param name="folder">Holds the zone files, named after their zones; takes what the server writes.</param>
    /// <param name="zones">The zones to serve.</param>
    public PeerServer(PeerKind kind, string folder, IReadOnlyList<string> zones)
    {
        Name = kind.Name;
        int port = Port;
        string state = Directory.CreateDirectory(Path.Combine(folder, kind.Name)).FullName;
        if (kind.Reload is not null) _reload = () => kind.Reload(folder, state, zones);
        string settings = Path.Combine(state, "settings.conf");
        File.WriteAllText(settings, kind.Settings(port, folder, state, zones));
        ProcessStartInfo start =
            new(kind.Program, kind.Arguments(settings)) { RedirectStandardOutput = true, RedirectStandardError = true };
        _process = Process.Start(start)!;
        // Read and thrown away: a full pipe would stop the server.
        _process.OutputDataReceived += (_, _) => { };
        _process.ErrorDataReceived += (_, line) => LastWords = line.Data ?? LastWords;
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        _socket.Connect(IPAddress.Loopback, port);
        _marker = QueryMessage.For($"{zones[0]} SOA");
        foreach (string zone in zones) Await(QueryMessage.For($"{zone} SOA"));
    }

    /// <summary>Where it listens on the loopback address.</summary>
    public int Port => _port.Port;

    /// <summary>The server's name.</summary>
    public string Name { get; }

    /// <summary>What the server wrote last.</summary>
    public string LastWords { get; private set; } = "";

    /// <summary>
    /// Sends a packet and, right behind it, a question that is always answered: when that answer comes first, there is
    /// none to the packet.
    /// </summary>
    public byte[]? Ask(byte[] packet)
    {
        ushort id = packet.Length < 2 ? (ushort)0 : (ushort)(packet[0] << 8 | packet[1]);
        ushort markerId = (ushort)(id ^ 0x5A5A);
        byte[] marker = (_marker with { Id = markerId }).ToOctets();
        byte[]? answer = null;
        _socket.Send(packet);
        _socket.Send(marker);
        while (Receive(StartLimit) is { Length: >= 2 } received)
        {
            ushort receivedId = (ushort)(received[0] << 8 | received[1]);
            if (receivedId == markerId) return answer;
            if (receivedId == id) answer = received;
        }
        throw new InvalidOperationException($"{Name} is silent after {Convert.ToHexString(packet)}: {LastWords}");
    }

    /// <summary>Asks over TCP, one connection for all questions; a new one if the server closed it.</summary>
    public byte[] AskOverTcp(byte[] packet)
    {
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                _stream ??= new NetworkStream(ConnectTcp(), ownsSocket: true) { ReadTimeout = 60_000 };
                _stream.Write([(byte)(packet.Length >> 8), (byte)packet.Length, .. packet]);
                byte[] prefix = new byte[2];
                _stream.ReadExactly(prefix);
                byte[] answer = new byte[prefix[0] << 8 | prefix[1]];
                _stream.ReadExactly(answer);
                return answer;
            }
            catch (Exception error) when (error is IOException or SocketException && attempt < 20)
            {
                // It closes a connection after so many questions, or has not begun to listen.
                _stream?.Dispose();
                _stream = null;
                _process.WaitForExit(50);
            }
        }
    }

    /// <summary>Has it read its zones again.</summary>
    public void Reload()
    {
        if (_reload is not null)
        {
            _reload();
            return;
        }
        using Process kill = Process.Start("kill", ["-HUP", $"{_process.Id}"]);
        kill.WaitForExit();
        if (kill.ExitCode != 0)
            throw new InvalidOperationException($"{Name}: kill -HUP ended with exit code {kill.ExitCode}: {LastWords}");
    }

    private Socket ConnectTcp()
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(IPAddress.Loopback, Port);
        return socket;
    }

    public void Dispose()
    {
        if (_isDisposed) return;
        _isDisposed = true;
        _stream?.Dispose();
        _socket.Dispose();
        if (!_process.HasExited) _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
        _port.Dispose();
    }

    private void Await(QueryMessage question)
    {
        byte[] packet = question.ToOctets();
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < StartLimit)
        {
            if (_process.HasExited) break;
            try
            {
                _socket.Send(packet);
                if (Receive(TimeSpan.FromMilliseconds(100)) is { Length: > 3 } answer && (answer[3] & 15) == 0) return;
            }
            catch (SocketException)
            {
                // Nobody listens on the port yet.
                _process.WaitForExit(20);
            }
        }
        Dispose();
        throw new InvalidOperationException($"{Name} does not serve its zones: {LastWords}");
    }

    private byte[]? Receive(TimeSpan limit) =>
        _socket.Poll(limit, SelectMode.SelectRead) ? _buffer[.._socket.Receive(_buffer)] : null;
}
