using System.Collections;
using System.Net.Sockets;

namespace Dns.Hosting.Services;

/// <summary>
/// Notifies a service manager of the server's state: sd_notify(3), lines of <c>KEY=value</c> in a datagram to the
/// socket in <c>NOTIFY_SOCKET</c>. Without that variable nothing is sent. Never throws and never waits: an unresponsive
/// manager must not stop the server. Thread-safe.
/// </summary>
public sealed class ServiceNotifier : IDisposable
{
    private readonly Socket? _socket;
    private readonly Action<byte[]>? _send;
    private readonly TimeProvider _clock;
    private volatile bool _isSilent;

    /// <summary>Reads the environment of the service manager.</summary>
    public ServiceNotifier(IDictionary environment, TimeProvider clock)
    {
        _clock = clock;
        WatchdogInterval = ReadWatchdog(environment);
        string? path = environment["NOTIFY_SOCKET"] as string;
        if (string.IsNullOrEmpty(path) || !OperatingSystem.IsLinux()) return;
        try
        {
            // An abstract name is written with @ instead of its leading NUL.
            UnixDomainSocketEndPoint manager = new(path[0] == '@' ? "\0" + path[1..] : path);
            Socket socket = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { Blocking = false };
            _socket = socket;
            _send = message => socket.SendTo(message, manager);
        }
        catch (Exception error) when (error is SocketException or ArgumentException)
        {
            // The name is too long, or such sockets are not supported: no manager.
            _send = null;
        }
    }

    /// <summary>Sends to another socket, for tests.</summary>
    internal ServiceNotifier(Action<byte[]> send, TimeSpan watchdogInterval, TimeProvider clock) =>
        (_send, WatchdogInterval, _clock) = (send, watchdogInterval, clock);

    /// <summary>Whether there is a service manager.</summary>
    public bool IsConnected => _send is not null;

    /// <summary>The watchdog interval of the manager; zero = none.</summary>
    public TimeSpan WatchdogInterval { get; }

    /// <summary>The server is ready: after a start, and after a reload.</summary>
    public void Ready(string status) => Send($"READY=1\nSTATUS={Line(status)}");

    /// <summary>A reload starts; <see cref="Ready"/> ends it.</summary>
    public void Reloading()
    {
        // The manager matches this time with its reload request. Microseconds of CLOCK_MONOTONIC, the clock of
        // timestamps on Linux.
        double microseconds = _clock.GetTimestamp() * (1e6 / _clock.TimestampFrequency);
        Send(string.Create(CultureInfo.InvariantCulture,
            $"RELOADING=1\nMONOTONIC_USEC={(long)microseconds}\nSTATUS=Reloading"));
    }

    public void Status(string status) => Send("STATUS=" + Line(status));

    /// <summary>Extends the start timeout by a time from now.</summary>
    public void ExtendTimeout(TimeSpan time, string status) => Send(
        string.Create(CultureInfo.InvariantCulture,
            $"EXTEND_TIMEOUT_USEC={(long)time.TotalMicroseconds}\nSTATUS={Line(status)}"));

    public void Watchdog() => Send("WATCHDOG=1");

    /// <summary>The last message: names the new process, so that the service does not end with this one.</summary>
    public void ReportTakeover(int process)
    {
        Send(string.Create(CultureInfo.InvariantCulture, $"MAINPID={process}"));
        _isSilent = true;
    }

    public void Stopping() => Send("STOPPING=1\nSTATUS=Stopping");

    public void Dispose() => _socket?.Dispose();

    private static TimeSpan ReadWatchdog(IDictionary environment)
    {
        bool isOurs = environment["WATCHDOG_PID"] is not string process
            || process == Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        bool isSet = long.TryParse(
            environment["WATCHDOG_USEC"] as string, NumberStyles.None, CultureInfo.InvariantCulture,
            out long microseconds);
        return isOurs && isSet && microseconds is > 0 and <= 86_400_000_000
            ? TimeSpan.FromMicroseconds(microseconds) : TimeSpan.Zero;
    }

    private static string Line(string text) => text.ReplaceLineEndings(" ");

    private void Send(string message)
    {
        if (_send is null || _isSilent) return;
        try
        {
            _send(Encoding.UTF8.GetBytes(message));
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // The manager is gone or its queue is full; the next message may arrive.
        }
    }
}
