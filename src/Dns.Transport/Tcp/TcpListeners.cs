using System.Buffers;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Dns.Protocol;
using Microsoft.Extensions.ObjectPool;

namespace Dns.Transport;

/// <summary>
/// TCP on all addresses: the listening sockets, the connections and the clock that ends them.
/// </summary>
internal sealed class TcpListeners : IDisposable
{
    private const int MaxPooledConnections = 1024;
    private static readonly TimeSpan AcceptPause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan LongestSweep = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ShortestSweep = TimeSpan.FromMilliseconds(20);

    private readonly List<Socket> _listening = [];
    private readonly List<Socket> _taken = [];
    private readonly ObjectPool<TcpConnection> _states;
    private readonly TimeProvider _clock;
    private readonly TaskCompletionSource _allReturned =
        new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile TcpLimits _limits;
    private volatile ClientNetworks? _proxyFrom;
    private ITimer? _sweep;
    private TimeSpan _sweepPeriod;
    private int _inUse = 1;
    private volatile bool _stopping;
    private volatile bool _acceptsNoMore;

    public TcpListeners(
        TcpLimits limits, TimeProvider clock, ArrayPool<byte> buffers, ClientNetworks? proxyFrom = null)
    {
        _limits = limits;
        _proxyFrom = proxyFrom;
        Buffers = buffers;
        Table = new ConnectionTable(limits);
        _clock = clock;
        _states = new DefaultObjectPoolProvider { MaximumRetained = MaxPooledConnections }
            .Create<TcpConnection>();
    }

    public TcpLimits Limits => _limits;

    /// <summary>Sources whose connections begin with the header of a proxy; null = none.</summary>
    public ClientNetworks? ProxyFrom => _proxyFrom;

    public ArrayPool<byte> Buffers { get; }

    public ConnectionTable Table { get; }

    /// <summary>Where loops and timers report unexpected exceptions.</summary>
    public IExceptionSink Exceptions { get; init; } = IExceptionSink.None;

    /// <summary>The listening sockets, which stay this object's.</summary>
    public IEnumerable<SafeHandle> Handles => _listening.Select(socket => socket.SafeHandle);

    /// <summary>Whether nothing more is to be read.</summary>
    public bool IsStopping => _stopping;

    public IMessageResponder Responder { get; private set; } = null!;

    /// <summary>
    /// Binds one address, or takes its socket over, and returns it with its port. Throws <see cref="SocketException"/>.
    /// </summary>
    public IPEndPoint Bind(IPEndPoint endPoint, HandedSockets? handed = null)
    {
        Socket socket = ListenSocket.BindTcp(endPoint, Limits, handed);
        _listening.Add(socket);
        return (IPEndPoint)socket.LocalEndPoint!;
    }

    /// <summary>Starts to accept on every address. Once only.</summary>
    public void Start(IMessageResponder responder)
    {
        Responder = responder;
        _sweepPeriod = SweepPeriod;
        _sweep = _clock.CreateTimer(_ => CloseExpired(), null, _sweepPeriod, _sweepPeriod);
        foreach (Socket socket in _listening)
        {
            _ = Task.Run(() => AcceptAsync(socket));
        }
    }

    /// <summary>
    /// Goes on with other limits and proxies. Connections that are there stay, also above a lower limit; a time-out of
    /// theirs that is running ends as it began.
    /// </summary>
    public void Use(TcpLimits limits, ClientNetworks? proxyFrom)
    {
        _limits = limits;
        _proxyFrom = proxyFrom;
        Table.Use(limits);
        TimeSpan period = SweepPeriod;
        if (period != _sweepPeriod)
        {
            _sweepPeriod = period;
            _sweep?.Change(period, period);
        }
    }

    /// <summary>Accepts no more; connections that are there go on.</summary>
    public void StopAccepting()
    {
        _acceptsNoMore = true;
        _listening.ForEach(socket => socket.Dispose());
    }

    /// <summary>
    /// Accepts no more, closes idle connections, lets the others send what they have and what is to come, for
    /// at most the time given.
    /// </summary>
    public async Task StopAsync(TimeSpan grace)
    {
        if (_stopping)
        {
            return;
        }

        _stopping = true;
        Dispose();
        CloseAll(busyToo: false);
        Release();
        await Bounded.WhenAll([_allReturned.Task], grace).ConfigureAwait(false);
        CloseAll(busyToo: true);
        await Bounded.WhenAll([_allReturned.Task], grace).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _sweep?.Dispose();
        _listening.ForEach(socket => socket.Dispose());
    }

    /// <summary>The clock's timestamp after a time.</summary>
    public long After(TimeSpan time) =>
        _clock.GetTimestamp() + (long)(time.TotalSeconds * _clock.TimestampFrequency);

    /// <summary>Takes the state of an ended connection back.</summary>
    public void Return(TcpConnection connection)
    {
        _states.Return(connection);
        Release();
    }

    /// <summary>
    /// Closes in order, so that answers on their way still arrive; the socket may be closed or reset already.
    /// </summary>
    public static void CloseSocket(Socket socket)
    {
        try
        {
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // There is nobody left to tell.
        }

        socket.Dispose();
    }

    private TimeSpan SweepPeriod
    {
        get
        {
            TcpLimits limits = _limits;
            TimeSpan shortest = new[] { limits.IdleTimeout, limits.ReceiveTimeout, limits.SendTimeout }.Min();
            return TimeSpan.FromTicks(Math.Clamp(shortest.Ticks / 10, ShortestSweep.Ticks, LongestSweep.Ticks));
        }
    }

    private async Task AcceptAsync(Socket listening)
    {
        using SocketOperation operation = new();
        bool failedBefore = false;
        while (!_stopping && !_acceptsNoMore)
        {
            SocketError error = await operation.AcceptAsync(listening).ConfigureAwait(false);
            if (error == SocketError.Success)
            {
                failedBefore = false;
                Admit(operation.AcceptSocket!);
            }
            else if (!_stopping && !_acceptsNoMore && !IsOfTheClient(error))
            {
                Table.CountAcceptError();
                bool roomMade = error == SocketError.TooManyOpenSockets && TryFreeDescriptor();
                if (!roomMade || failedBefore)
                {
                    await Task.Delay(AcceptPause, CancellationToken.None).ConfigureAwait(false);
                }

                failedBefore = true;
            }
        }
    }

    /// <summary>
    /// Closes the connection that has been idle longest, so that the next accept has a descriptor.
    /// </summary>
    private bool TryFreeDescriptor()
    {
        Socket? idle = Table.TakeOldestIdle();
        idle?.Dispose();
        return idle is not null;
    }

    private static bool IsOfTheClient(SocketError error) =>
        error is SocketError.ConnectionAborted or SocketError.ConnectionReset;

    private void Admit(Socket socket)
    {
        TcpConnection? connection;
        try
        {
            ClientAddress client = ClientAddress.From((IPEndPoint)socket.RemoteEndPoint!);
            socket.NoDelay = true;
            connection = _states.Get();
            connection.Open(socket, client, this);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Reset before we looked.
            socket.Dispose();
            return;
        }

        Interlocked.Increment(ref _inUse);
        if (!Table.TryAdmit(connection, out Socket? victim))
        {
            socket.Dispose();
            Return(connection);
            return;
        }

        if (victim is not null)
        {
            CloseSocket(victim);
        }

        connection.Start();
    }

    private void CloseExpired()
    {
        try
        {
            lock (_taken)
            {
                Table.TakeExpired(_clock.GetTimestamp(), _taken);
                CloseTaken();
            }
        }
        catch (Exception error)
        {
            Exceptions.Report(ServerLoop.TcpTimer, error, default);
        }
    }

    private void CloseAll(bool busyToo)
    {
        lock (_taken)
        {
            Table.Stop(_taken, busyToo);
            CloseTaken();
        }
    }

    private void CloseTaken()
    {
        _taken.ForEach(CloseSocket);
        _taken.Clear();
    }

    private void Release()
    {
        if (Interlocked.Decrement(ref _inUse) == 0)
        {
            _allReturned.TrySetResult();
        }
    }
}
