using System.Buffers;
using System.Net.Sockets;
using Microsoft.Extensions.ObjectPool;

namespace Dns.Transport.Tcp;

/// <summary>TCP on all addresses: the listening sockets, the connections and their timeouts.</summary>
internal sealed class TcpListeners : IDisposable
{
    private const int MaxPooledConnections = 1024;
    private static readonly TimeSpan CloseTime = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan LongestSweep = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ShortestSweep = TimeSpan.FromMilliseconds(20);

    private readonly List<AcceptLoop> _listening = [];
    private readonly List<IByteStream> _taken = [];
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
        Table = new ConnectionTable(limits);
        Memory = new StreamMemory(buffers, Table);
        _clock = clock;
        _states = new DefaultObjectPoolProvider { MaximumRetained = MaxPooledConnections }
            .Create<TcpConnection>();
    }

    public TcpLimits Limits => _limits;

    /// <summary>Addresses of proxies; null = none.</summary>
    public ClientNetworks? ProxyFrom => _proxyFrom;

    /// <summary>The buffers of all connections.</summary>
    public StreamMemory Memory { get; }

    public TcpCounters Counters => Table.Counters with { BufferBytes = Memory.Held };

    /// <summary>Whether every address accepts; false if a loop has stalled or only failed for 30 seconds.</summary>
    public bool IsAccepting => IsStopped || _listening.TrueForAll(loop => loop.IsAlive);

    /// <summary>Whether accepting has ended.</summary>
    public bool IsStopped => _stopping || _acceptsNoMore;

    public TimeProvider Clock => _clock;

    public ConnectionTable Table { get; }

    /// <summary>The scheduler of sequences: half of the processors, the rest is left to queries.</summary>
    public SequenceTurns Turns { get; init; } = new(Math.Max(1, Environment.ProcessorCount / 2));

    /// <summary>Receives unexpected exceptions of loops and timers.</summary>
    public IExceptionSink Exceptions { get; init; } = IExceptionSink.None;

    /// <summary>Makes a TLS listener's layer; null = not supported.</summary>
    public Func<ListenerAddress, IStreamLayer?> TlsLayer { get; init; } = static _ => null;

    /// <summary>The listening sockets, owned by this object.</summary>
    public IEnumerable<OpenListener> Handles =>
        _listening.Select(loop => new OpenListener(loop.Socket.SafeHandle, loop.Kind));

    /// <summary>Whether reading has ended.</summary>
    public bool IsStopping => _stopping;

    public IMessageResponder Responder { get; private set; } = null!;

    /// <summary>Binds one address, or takes its inherited socket. Throws <see cref="SocketException"/>.</summary>
    public IPEndPoint Bind(ListenerAddress address, InheritedSockets? inherited = null)
    {
        IStreamLayer? layer = address.Kind == ListenerKind.Plain ? null
            : TlsLayer(address) ?? throw new SocketException((int)SocketError.ProtocolNotSupported);
        Socket socket = ListenSocket.BindTcp(address, Limits, inherited);
        _listening.Add(new AcceptLoop(socket, address.Kind, layer, this));
        return (IPEndPoint)socket.LocalEndPoint!;
    }

    /// <summary>Starts to accept on every address. Once only.</summary>
    public void Start(IMessageResponder responder)
    {
        Responder = responder;
        _sweepPeriod = SweepPeriod;
        _sweep = _clock.CreateTimer(_ => CloseExpired(), null, _sweepPeriod, _sweepPeriod);
        _listening.ForEach(loop => loop.Start());
    }

    /// <summary>Changes limits and proxies. Connections stay, even above a limit, with their timeouts.</summary>
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

    /// <summary>Stops accepting; existing connections continue.</summary>
    public void StopAccepting()
    {
        _acceptsNoMore = true;
        _listening.ForEach(loop => loop.Socket.Dispose());
    }

    /// <summary>Stops accepting, closes idle connections, and gives the others time to send pending replies.</summary>
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
        await Bounded.WhenAll([_allReturned.Task], grace < CloseTime ? grace : CloseTime).ConfigureAwait(false);
    }

    public void Dispose()
    {
        _sweep?.Dispose();
        _listening.ForEach(loop => loop.Socket.Dispose());
    }

    /// <summary>The timestamp after a time span.</summary>
    public long After(TimeSpan time) => _clock.GetTimestamp() + TicksOf(time);

    /// <summary>A time span in ticks of the clock.</summary>
    public long TicksOf(TimeSpan time) => (long)(time.TotalSeconds * _clock.TimestampFrequency);

    /// <summary>Returns the state of an ended connection to the pool.</summary>
    public void Return(TcpConnection connection)
    {
        Memory.NoteLeft(connection.LeavingOctets);
        connection.LeavingOctets = 0;
        _states.Return(connection);
        Release();
    }

    /// <summary>Serves an accepted connection, or closes it. Leaves nothing behind if it throws.</summary>
    public void Admit(Socket socket, IStreamLayer? layer)
    {
        TcpConnection? entered = null;
        try
        {
            ClientAddress client = ClientAddress.From((IPEndPoint)socket.RemoteEndPoint!);
            socket.NoDelay = true;
            socket.Blocking = false;
            TcpConnection connection = _states.Get();
            connection.Open(new SocketStream(socket), layer, client, this);
            Interlocked.Increment(ref _inUse);
            entered = connection;
            if (Table.TryAdmit(connection, out IByteStream? victim))
            {
                victim?.Close();
                connection.Start();
                return;
            }

            Withdraw(socket, connection);
        }
        catch (Exception error)
        {
            Withdraw(socket, entered);
            if (error is not (SocketException or ObjectDisposedException))
            {
                throw;
            }

            // Reset before it was admitted.
        }
    }

    /// <summary>Reports an unexpected exception of a loop, and frees memory if that was short.</summary>
    public void NoteFault(ServerLoop loop, Exception error, ReadOnlySpan<byte> message = default)
    {
        Exceptions.Report(loop, error, message);
        Table.CountFault();
        if (error is OutOfMemoryException)
        {
            Memory.Relieve();
        }
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

    /// <summary>Closes the connection idle for longest, to free a descriptor for the next accept.</summary>
    public bool TryFreeDescriptor()
    {
        IByteStream? idle = Table.TakeOldestIdle();
        idle?.Close();
        return idle is not null;
    }

    private void Withdraw(Socket socket, TcpConnection? connection)
    {
        socket.Dispose();
        if (connection is not null)
        {
            Table.Remove(connection);
            Return(connection);
        }
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
            // On a timer thread it would end the process; the next sweep continues.
            NoteFault(ServerLoop.TcpTimer, error);
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
        _taken.ForEach(stream => stream.Close());
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
