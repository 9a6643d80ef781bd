using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Dns.Bench;

/// <summary>A server started by dnsbench, pinned; ended with its descendants when disposed.</summary>
internal sealed class ServerProcess : IDisposable
{
    private const int AskTimeoutMs = 20;
    private const int EndTimeoutMs = 10_000;
    private const int PauseMs = 2;
    private const int LogOctets = 600;
    private readonly Process _process;
    private readonly PeerSetup _setup;
    private readonly string _log;

    internal ServerProcess(Peer peer, string path, PeerSetup setup)
    {
        Name = peer.Name;
        _setup = setup;
        Directory.CreateDirectory(setup.Folder);
        _log = Path.Combine(setup.Folder, "output.log");
        PeerCommand command = peer.Configure(path, setup);
        // The shell and taskset are replaced by the server (exec): one process, with a known id.
        ProcessStartInfo start = new("/bin/sh") { WorkingDirectory = setup.Folder };
        foreach (string word in (string[])["-c", "log=$1; shift; exec \"$@\" >\"$log\" 2>&1 </dev/null", "sh", _log])
            start.ArgumentList.Add(word);
        if (setup.Processors.Length > 0)
            foreach (string word in (string[])["taskset", "-c", setup.Processors]) start.ArgumentList.Add(word);
        start.ArgumentList.Add(command.Program);
        foreach (string argument in command.Arguments) start.ArgumentList.Add(argument);
        foreach ((string name, string value) in command.Environment) start.Environment[name] = value;
        Started = Stopwatch.GetTimestamp();
        _process = Process.Start(start)!;
        Leftovers.Add(this);
    }

    internal string Name { get; }

    /// <summary>The process.</summary>
    internal int Id => _process.Id;

    internal long Started { get; }

    internal IPEndPoint EndPoint => new(IPAddress.Loopback, _setup.Port);

    /// <summary>The process and its current descendants.</summary>
    internal List<int> Members => ProcessTree.Members(_process.Id, _setup.Folder);

    /// <summary>
    /// Queries the SOA of zones, one after the other until it is answered with data, and returns the seconds since the
    /// start.
    /// </summary>
    /// <exception cref="TimeoutException">The server ended or took too long; the message has the end of its
    /// log.</exception>
    internal double WaitReady(IEnumerable<string> zones, double seconds)
    {
        using Socket socket =
            new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = AskTimeoutMs };
        socket.Connect(EndPoint);
        foreach (string zone in zones)
        {
            byte[] query = QueryText.Encode(zone, RRType.SOA, recursion: true);
            while (!IsAnswered(socket, query))
            {
                if (_process.HasExited)
                    throw new TimeoutException($"{Name} ended with {_process.ExitCode}: {LogEnd()}");
                if (Stopwatch.GetElapsedTime(Started).TotalSeconds > seconds)
                    throw new TimeoutException($"{Name} did not answer for {zone} within {seconds} s: {LogEnd()}");
            }
        }
        return Stopwatch.GetElapsedTime(Started).TotalSeconds;
    }

    private bool IsAnswered(Socket socket, byte[] query)
    {
        byte[] answer = new byte[4096];
        try
        {
            socket.Send(query);
            // A server that has just started answers all queued queries: skip replies to earlier questions, or each
            // later question would wait behind as many replies again.
            int octets;
            do octets = socket.Receive(answer);
            while (!IsAnswerTo(query, answer.AsSpan(0, octets)) && Name != PeerTable.Echo);
            if (Name == PeerTable.Echo || MessageHeader.Count(answer, 1) > 0) return true;
        }
        catch (SocketException error) when (error.SocketErrorCode is SocketError.TimedOut
            or SocketError.ConnectionRefused)
        {
            // Not there yet.
        }
        // Limits the polling to a few hundred queries a second, which do not slow the start down.
        Thread.Sleep(PauseMs);
        return false;
    }

    private static bool IsAnswerTo(byte[] query, ReadOnlySpan<byte> answer) =>
        answer.Length >= query.Length && answer[12..query.Length].SequenceEqual(query.AsSpan(12));

    private string LogEnd()
    {
        // Some write a log file besides their output.
        string text =
            string.Concat(Directory.EnumerateFiles(_setup.Folder, "*.log").Order().Select(File.ReadAllText)).Trim();
        return text.Length > LogOctets ? text[^LogOctets..] : text.Length > 0 ? text : "it wrote no log";
    }

    public void Dispose()
    {
        if (!Leftovers.Remove(this)) return;
        List<int> members = _process.HasExited ? [] : Members;
        if (members.Count > 0) LinuxSockets.Signal(_process.Id, LinuxSockets.Terminate);
        if (!_process.WaitForExit(EndTimeoutMs)) _process.Kill(entireProcessTree: true);
        foreach (int member in members.Skip(1))
        {
            // Most children end with their server; a remaining one is ended by its id.
            if (Directory.Exists($"/proc/{member}") && ProcessTree.Members(member).Count > 0) EndChild(member);
        }
        _process.Dispose();
    }

    private static void EndChild(int id)
    {
        long deadline = Environment.TickCount64 + EndTimeoutMs;
        // Not a child of this process, so there is no event of its end to wait for.
        while (Directory.Exists($"/proc/{id}") && Environment.TickCount64 < deadline) Thread.Sleep(20);
        if (Directory.Exists($"/proc/{id}")) LinuxSockets.Signal(id, LinuxSockets.Terminate);
    }
}
