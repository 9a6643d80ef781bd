using System.Buffers;
using System.Net.Sockets;

namespace Dns.Telemetry.Recording;

/// <summary>dnstap to a program that listens on a Unix domain socket; reconnects when it is back.</summary>
public sealed class DnstapSocketSink(string path, DnstapMessage message, TimeProvider clock) : IRecordSink
{
    private const int PieceOctets = 64 * 1024;
    // A reader on a busy machine may be late; at the end the wait for one that hangs is short.
    private const int TimeoutMs = 5000, StopTimeoutMs = 1000;
    private static readonly TimeSpan ConnectInterval = TimeSpan.FromSeconds(1);

    private readonly ArrayBufferWriter<byte> _data = new(2048), _buffer = new(PieceOctets);
    private Socket? _socket;
    private long? _triedAt;
    private string _problem = "not connected";

    public string Name => "dnstap socket " + path;

    public void Write(AnswerRecord record, DateTimeOffset at, TimeSpan took)
    {
        _data.ResetWrittenCount();
        message.Write(_data, record, at, took);
        FrameStream.WriteData(_buffer, _data.WrittenSpan);
        if (_buffer.WrittenCount >= PieceOctets) Flush();
    }

    public void Flush()
    {
        try
        {
            if (_socket is null) Connect();
            Send(_buffer.WrittenSpan);
        }
        catch (SocketException error)
        {
            Close();
            // A socket that is not there is "address not available" to the runtime.
            bool hasNoListener = error.SocketErrorCode
                is SocketError.AddressNotAvailable or SocketError.ConnectionRefused;
            throw new IOException(_problem = hasNoListener ? "no process listens there" : error.Message, error);
        }
        catch (IOException error)
        {
            Close();
            _problem = error.Message;
            throw;
        }
        catch (ObjectDisposedException error)
        {
            throw new IOException("closed by a stop", error);
        }
        finally
        {
            _buffer.ResetWrittenCount();
        }
    }

    public void Dispose()
    {
        try
        {
            if (_socket is null) return;
            Deadline end = new(clock, clock.GetTimestamp(), StopTimeoutMs);
            Send(FrameStream.Control(FrameStream.Stop, hasContent: false), end);
            Expect(FrameStream.Finish, end);
        }
        catch (Exception error) when (error is SocketException or IOException or ObjectDisposedException)
        {
            // It ends without good manners.
        }
        finally
        {
            Close();
        }
    }

    private void Connect()
    {
        if (_triedAt is { } tried && clock.GetElapsedTime(tried) < ConnectInterval) throw new IOException(_problem);
        _triedAt = clock.GetTimestamp();
        _socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
        {
            SendTimeout = TimeoutMs,
        };
        Deadline end = new(clock, clock.GetTimestamp(), TimeoutMs);
        _socket.Connect(new UnixDomainSocketEndPoint(path));
        Send(FrameStream.Control(FrameStream.Ready, hasContent: true), end);
        Expect(FrameStream.Accept, end);
        Send(FrameStream.Control(FrameStream.Start, hasContent: true), end);
    }

    /// <param name="end">When all of it has to be sent; null = a part of it within each timeout.</param>
    private void Send(ReadOnlySpan<byte> octets, Deadline? end = null)
    {
        while (!octets.IsEmpty)
        {
            Socket socket = Open;
            socket.SendTimeout = end?.LeftMs ?? TimeoutMs;
            octets = octets[socket.Send(octets)..];
        }
    }

    /// <summary>Waits for a control frame of a type; what it says beside that does not matter.</summary>
    private void Expect(uint type, Deadline end)
    {
        Span<byte> head = stackalloc byte[8];
        Receive(head, end);
        uint length = BinaryPrimitives.ReadUInt32BigEndian(head[4..]);
        if (BinaryPrimitives.ReadUInt32BigEndian(head) != 0 || length is < 4 or > FrameStream.MostControlOctets)
            throw new IOException("the other side does not speak Frame Streams");
        Span<byte> rest = stackalloc byte[FrameStream.MostControlOctets];
        Receive(rest[..(int)length], end);
        if (BinaryPrimitives.ReadUInt32BigEndian(rest) != type)
            throw new IOException("the other side does not take dnstap");
    }

    private void Receive(Span<byte> octets, Deadline end)
    {
        while (!octets.IsEmpty)
        {
            Socket socket = Open;
            socket.ReceiveTimeout = end.LeftMs;
            int count = socket.Receive(octets);
            if (count == 0) throw new IOException("the other side has closed");
            octets = octets[count..];
        }
    }

    /// <summary>The socket; a stop closes it while the thread that writes waits.</summary>
    private Socket Open => _socket ?? throw new IOException("closed by a stop");

    private void Close()
    {
        _socket?.Dispose();
        _socket = null;
    }

    /// <summary>The end of several sends and receives, however few octets each of them has.</summary>
    private readonly record struct Deadline(TimeProvider Clock, long Began, int TimeoutMs)
    {
        /// <summary>What is left for the next one, at least a millisecond.</summary>
        public int LeftMs => TimeoutMs - (int)Clock.GetElapsedTime(Began).TotalMilliseconds is > 0 and int left
            ? left : throw new IOException("the other side is too slow");
    }
}
