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

    public TimeProvider Clock => _clock;

    public ConnectionTable Table { get; }

    /// <summary>The scheduler of sequences: half of the processors, the rest is left to queries.</summary>
    public SequenceTurns Turns { get; init; } = new(Math.Max(1, Environment.ProcessorCount / 2));

    /// <summary>Receives unexpected exceptions of loops and timers.</summary>
    public IExceptionSink Exceptions { get; init; } = IExceptionSink.None;

    /// <summary>Whether reading has ended.</summary>
    public bool IsStopping => _stopping;

    public IMessageResponder Responder { get; private set; } = null!;

    /// <summary>Adds a listening socket, which the loop then owns.</summary>
    /// <param name="layer">Added to each connection; null = none.</param>
    public AcceptLoop Add(Socket socket, ListenerAddress address, IStreamLayer? layer)
    {
        AcceptLoop loop = new(socket, address with { EndPoint = (IPEndPoint)socket.LocalEndPoint! }, layer, this);
        _listening.Add(loop);
        return loop;
    }

    /// <summary>Starts to accept on every address. Once only.</summary>
    public void Start(IMessageResponder responder)
    {
        Responder = responder;
        _sweepPeriod = SweepPeriod;
        _sweep = _clock.CreateTimer(_ => CloseExpired(), null, _sweepPeriod, _sweepPeriod);
        _listening.ForEach(loop => loop.Start(responder));
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

    /// <summary>Stops accepting, closes idle connections, and gives the others time to send pending replies.</summary>
    public async Task StopAsync(TimeSpan grace)
    {
        if (_stopping) return;
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
        _listening.ForEach(loop => loop.StopAccepting());
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
            socket.Dispose();
            Withdraw(connection);
        }
        catch (Exception error)
        {
            socket.Dispose();
            if (entered is not null) Withdraw(entered);
            if (error is not (SocketException or ObjectDisposedException)) throw;
            // Reset before it was admitted.
        }
    }

    /// <summary>Admits a connection that another library serves. Null at a limit, or while stopping.</summary>
    public HostedConnection? TryAdmit(in ClientAddress client, Action close)
    {
        TcpConnection connection = _states.Get();
        connection.Open(new HostedConnection.Stream(close), null, client, this);
        connection.HasNoDeadline();
        Interlocked.Increment(ref _inUse);
        if (Table.TryAdmit(connection, out IByteStream? victim))
        {
            victim?.Close();
            return new HostedConnection(this, connection);
        }
        Withdraw(connection);
        return null;
    }

    /// <summary>Reports an unexpected exception of a loop, and frees memory if that was short.</summary>
    public void NoteFault(string loop, Exception error, ReadOnlySpan<byte> message = default)
    {
        Exceptions.Report(loop, error, message);
        Table.CountFault();
        if (error is OutOfMemoryException) Memory.Relieve();
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

    /// <summary>Removes a connection that has no loop.</summary>
    public void Withdraw(TcpConnection connection)
    {
        Table.Remove(connection);
        Return(connection);
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
            NoteFault(TransportLoops.TcpTimer, error);
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
        if (Interlocked.Decrement(ref _inUse) == 0) _allReturned.TrySetResult();
    }
}
