using System.Net.Sockets;

namespace Dns.Testing;

/// <summary>A collector of dnstap on a Unix domain socket that sends a control frame octet by octet.</summary>
public sealed class DrippingCollector : IDisposable
{
    private const int FrameOctets = 200, IntervalMs = 100;
    private const byte Accept = 1, Finish = 5;

    private readonly Socket _listener = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
    private readonly bool _isAccepting;

    /// <summary>Creates one that listens.</summary>
    /// <param name="isAccepting">Whether the first frame comes whole, so that only the last one does not.</param>
    public DrippingCollector(string path, bool isAccepting)
    {
        _isAccepting = isAccepting;
        _listener.Bind(new UnixDomainSocketEndPoint(path));
        _listener.Listen(1);
        HasSentAll = Task.Factory.StartNew(Run, TaskCreationOptions.LongRunning);
    }

    /// <summary>Whether the other side has waited for the last octet.</summary>
    public Task<bool> HasSentAll { get; }

    /// <inheritdoc/>
    public void Dispose() => _listener.Dispose();

    private bool Run()
    {
        using Socket socket = _listener.Accept();
        byte[] room = new byte[64 * 1024];
        socket.Receive(room);
        if (_isAccepting) socket.Send(Control(Accept));
        try
        {
            foreach (byte octet in Control(_isAccepting ? Finish : Accept))
            {
                // What comes does not matter, and when nothing comes the time is over.
                while (socket.Poll(TimeSpan.FromMilliseconds(IntervalMs), SelectMode.SelectRead))
                    if (socket.Receive(room) == 0) return false;
                socket.Send([octet]);
            }
        }
        catch (SocketException)
        {
            return false;
        }
        return true;
    }

    private static byte[] Control(byte type)
    {
        byte[] frame = new byte[8 + FrameOctets];
        (frame[7], frame[11]) = (FrameOctets, type);
        return frame;
    }
}
