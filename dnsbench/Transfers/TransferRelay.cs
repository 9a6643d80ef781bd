using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Dns.Bench;

/// <summary>
/// A relay between a secondary and its primary that records when the first octet of a transfer arrived. Octets are
/// unchanged.
/// </summary>
internal sealed class TransferRelay : IDisposable
{
    /// <summary>A connection with less is not a transfer: some servers query the SOA over TCP first.</summary>
    internal const int LeastOctets = 64 << 10;

    private const int BufferOctets = 256 << 10;
    private const int AnswerTimeoutMs = 2000;
    private readonly CancellationTokenSource _end = new();
    private readonly IPEndPoint _primary;
    private readonly Socket _datagrams = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly Task _running;
    private long _firstOctet;

    /// <param name="port">Where on 127.0.0.1 it listens, UDP and TCP.</param>
    /// <param name="primary">The destination.</param>
    internal TransferRelay(int port, IPEndPoint primary)
    {
        _primary = primary;
        _datagrams.Bind(new IPEndPoint(IPAddress.Loopback, port));
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, port));
        _listener.Listen();
        _running = Task.WhenAll(PassDatagrams(), Accept());
    }

    /// <summary>
    /// The moment of the first octet of the first connection that brought <see cref="LeastOctets"/>, as a timestamp of
    /// <see cref="Stopwatch"/>; 0 before that.
    /// </summary>
    internal long FirstOctet => Interlocked.Read(ref _firstOctet);

    public void Dispose()
    {
        _end.Cancel();
        _running.Wait();
        _datagrams.Dispose();
        _listener.Dispose();
        _end.Dispose();
    }

    private async Task PassDatagrams()
    {
        byte[] buffer = new byte[ushort.MaxValue];
        while (!_end.IsCancellationRequested)
        {
            try
            {
                SocketReceiveFromResult query =
                    await _datagrams.ReceiveFromAsync(buffer, new IPEndPoint(IPAddress.Any, 0), _end.Token);
                using Socket onward = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
                using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(_end.Token);
                limit.CancelAfter(AnswerTimeoutMs);
                await onward.ConnectAsync(_primary, limit.Token);
                await onward.SendAsync(buffer.AsMemory(0, query.ReceivedBytes), limit.Token);
                int octets = await onward.ReceiveAsync(buffer, limit.Token);
                await _datagrams.SendToAsync(buffer.AsMemory(0, octets), query.RemoteEndPoint, limit.Token);
            }
            catch (Exception error) when (error is SocketException or OperationCanceledException)
            {
                // The sender retries.
            }
        }
    }

    private async Task Accept()
    {
        List<Task> connections = [];
        try
        {
            while (true)
            {
                Socket secondary = await _listener.AcceptAsync(_end.Token);
                connections.RemoveAll(connection => connection.IsCompleted);
                connections.Add(Pass(secondary));
            }
        }
        catch (Exception error) when (error is SocketException or OperationCanceledException)
        {
            await Task.WhenAll(connections);
        }
    }

    private async Task Pass(Socket secondary)
    {
        using Socket accepted = secondary,
            onward = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        accepted.NoDelay = true;
        try
        {
            await onward.ConnectAsync(_primary, _end.Token);
            await Task.WhenAll(Copy(accepted, onward, isAnswer: false), Copy(onward, accepted, isAnswer: true));
        }
        catch (Exception error) when (error is SocketException or OperationCanceledException)
        {
            // One side has closed, and with it the connection.
        }
    }

    private async Task Copy(Socket from, Socket to, bool isAnswer)
    {
        byte[] buffer = new byte[BufferOctets];
        long began = 0, sum = 0;
        while (await from.ReceiveAsync(buffer, _end.Token) is > 0 and int octets)
        {
            if (began == 0) began = Stopwatch.GetTimestamp();
            sum += octets;
            if (isAnswer && sum >= LeastOctets) Interlocked.CompareExchange(ref _firstOctet, began, 0);
            for (int sent = 0; sent < octets;)
                sent += await to.SendAsync(buffer.AsMemory(sent, octets - sent), _end.Token);
        }
        to.Shutdown(SocketShutdown.Send);
    }
}
