using System.Net;
using System.Net.Sockets;
using Dns.Protocol;

namespace Dns.Transport;

/// <summary>
/// All listening sockets of a server: bound first, started when there is something to answer with, stopped
/// together.
/// <code>
/// ListenerSet listeners = ListenerSet.Bind(options, out IReadOnlyList&lt;BindFailure&gt; failures);
/// listeners.Start(responder);
/// await listeners.StopAsync(TimeSpan.FromSeconds(5));
/// </code>
/// </summary>
public sealed class ListenerSet : IAsyncDisposable
{
    // Two tries almost always do: the port that UDP was given must only be free for TCP too.
    private const int FreePortTries = 32;

    private readonly List<IUdpListener> _udp = [];
    private readonly List<ListenerAddress> _listeners = [];
    private readonly List<string> _notes = [];
    private readonly TransportOptions _options;
    private readonly UdpListenerKind _kind;
    private readonly TcpListeners _tcp;
    private ConditionLog? _watch;
    private ProxiedDatagrams? _proxied;
    private int _started;

    private ListenerSet(TransportOptions options)
    {
        _options = options;
        TcpLimits limits = DescriptorLimit.Apply(options.Tcp, out string? note, options.OtherDescriptors);
        Note(note);
        _tcp = new TcpListeners(limits, options.Clock, options.StreamPool, options.ProxyFrom)
        {
            Exceptions = options.Exceptions,
            Layers = options.Layers,
        };
        _kind = UdpListeners.Choose(options.UdpListener, out note);
        Note(note);
        if (OperatingSystem.IsLinux() && _kind == UdpListenerKind.Batched && !ThreadAffinity.IsPermitted())
        {
            Note("threads may not be tied to processors here; they are left to the system");
        }

        if (options.WorkerCount > 1 && !ListenSocket.MaySharePort())
        {
            Note("sockets may not share a port here; every address is served by one socket");
        }
    }

    /// <summary>The listeners bound, with the ports chosen where 0 was asked for.</summary>
    public IReadOnlyList<ListenerAddress> Listeners => _listeners;

    /// <summary>Their addresses.</summary>
    public IReadOnlyList<IPEndPoint> EndPoints => [.. _listeners.Select(listener => listener.EndPoint)];

    /// <summary>
    /// The sockets bound, UDP and listening TCP, to hand to another process. They stay this set's.
    /// </summary>
    public IReadOnlyList<OpenListener> Handles =>
        [.. _udp.SelectMany(listener => listener.Handles).Select(handle => new OpenListener(handle, ListenerKind.Plain)), .. _tcp.Handles];

    /// <summary>The UDP listener in use: batched or portable, never auto.</summary>
    public UdpListenerKind UdpListener => _kind;

    /// <summary>
    /// What the operator should be told, one line each, such as that a listener falls back.
    /// </summary>
    public IReadOnlyList<string> Notes => _notes;

    /// <summary>
    /// Binds every listener, UDP and TCP of an address whole or not at all, and goes on after a failure so
    /// that all are reported. Nothing is received before <see cref="Start"/>. A caller that cannot accept a
    /// failure disposes the set, which closes everything.
    /// </summary>
    public static ListenerSet Bind(TransportOptions options, out IReadOnlyList<BindFailure> failures)
    {
        ListenerSet set = new(options);
        List<BindFailure> found = [];
        foreach (ListenerAddress address in options.Listeners)
        {
            if (set.TryBind(address) is BindFailure failure)
            {
                found.Add(failure);
            }
        }

        failures = found;
        return set;
    }

    /// <summary>Starts to serve every address bound. Once only.</summary>
    /// <param name="responder">What answers.</param>
    /// <param name="notice">
    /// Told what the operator should know meanwhile, in one line, each condition once. Called on timer threads.
    /// </param>
    /// <exception cref="InvalidOperationException">The set has been started or stopped already.</exception>
    public void Start(IMessageResponder responder, Action<string>? notice = null)
    {
        if (Interlocked.Exchange(ref _started, 1) != 0)
        {
            throw new InvalidOperationException("The listeners were started or stopped before.");
        }

        _proxied = new ProxiedDatagrams(responder, _tcp.ProxyFrom);
        _udp.ForEach(listener => listener.Start(_proxied));
        _tcp.Start(responder);
        if (notice is not null)
        {
            _watch = new ConditionLog(this, _options, notice);
        }
    }

    /// <summary>Goes on with other limits for TCP and other proxies, from the next datagram and connection on.</summary>
    /// <param name="limits">The limits; the buffers of sockets stay what they were.</param>
    /// <param name="proxyFrom">Sources that are proxies; null = none.</param>
    /// <param name="otherDescriptors">Files that other parts of the process may have open.</param>
    /// <returns>What the operator should be told; null = nothing.</returns>
    public string? Use(TcpLimits limits, ClientNetworks? proxyFrom, int otherDescriptors)
    {
        _tcp.Use(DescriptorLimit.Apply(limits, out string? note, otherDescriptors), proxyFrom);
        _proxied?.Proxies = proxyFrom;
        return note;
    }

    /// <summary>
    /// Accepts no TCP connections any more and serves those that are there, and UDP: for a process that another one takes
    /// over from, so that who has just connected to this one is not turned away.
    /// </summary>
    public void StopAccepting() => _tcp.StopAccepting();

    /// <summary>
    /// Stops: nothing more is received, what was read is answered, idle connections are closed. Waits for
    /// answers on their way for about <paramref name="grace"/> and then closes everything. Never throws.
    /// </summary>
    public async Task StopAsync(TimeSpan grace)
    {
        Interlocked.Exchange(ref _started, 1);
        await Task.WhenAll([.. _udp.Select(listener => listener.StopAsync(grace)), _tcp.StopAsync(grace)])
            .ConfigureAwait(false);
        _watch?.Dispose();
        _watch?.Look();
    }

    /// <summary>Stops without waiting long.</summary>
    public async ValueTask DisposeAsync() => await StopAsync(TimeSpan.FromSeconds(1)).ConfigureAwait(false);

    /// <summary>The UDP counters of an address.</summary>
    /// <param name="index">Its place among those of <see cref="Listeners"/> that have UDP.</param>
    public UdpCounters ReadUdpCounters(int index) => _udp[index].Counters;

    /// <summary>The UDP counters, over all addresses.</summary>
    public UdpCounters ReadUdpCounters()
    {
        UdpCounters sum = default;
        foreach (IUdpListener listener in _udp)
        {
            sum += listener.Counters;
        }

        return sum;
    }

    /// <summary>
    /// Datagrams of proxies that did not begin with a good header of theirs, over all addresses; they are among the unanswered.
    /// </summary>
    public long BadProxyDatagrams => _proxied?.BadHeaders ?? 0;

    /// <summary>The TCP counters, over all addresses.</summary>
    public TcpCounters ReadTcpCounters() => _tcp.Counters;

    /// <summary>
    /// Whether TCP connections are accepted on every address; false when that has stood still, or met nothing but failures, for
    /// 30 seconds. True before the start and after a stop.
    /// </summary>
    public bool IsAccepting => _tcp.IsAccepting;

    private void Note(string? line)
    {
        if (line is not null)
        {
            _notes.Add(line);
        }
    }

    private BindFailure? TryBind(ListenerAddress address)
    {
        IPEndPoint endPoint = address.EndPoint;
        for (int tries = 1; ; tries++)
        {
            ProtocolType protocol = ProtocolType.Udp;
            IUdpListener? udp = null;
            try
            {
                udp = address.HasDatagrams ? UdpListeners.Bind(_kind, endPoint, _options) : null;
                protocol = ProtocolType.Tcp;
                IPEndPoint bound = _tcp.Bind(address with { EndPoint = udp?.EndPoint ?? endPoint }, _options.Inherited);
                _listeners.Add(address with { EndPoint = bound });
                if (udp is not null)
                {
                    _udp.Add(udp);
                }

                return null;
            }
            catch (SocketException error)
            {
                udp?.Dispose();
                bool inUse = error.SocketErrorCode == SocketError.AddressAlreadyInUse;
                if (!inUse || endPoint.Port != 0 || tries == FreePortTries)
                {
                    return inUse && EarlierCover(endPoint) is IPEndPoint earlier
                        ? BindFailure.ListedTwice(endPoint, protocol, earlier)
                        : BindFailure.From(address, protocol, error);
                }
            }
        }
    }

    private IPEndPoint? EarlierCover(IPEndPoint endPoint) => EndPoints.FirstOrDefault(earlier =>
        earlier.Port == endPoint.Port
        && earlier.AddressFamily == endPoint.AddressFamily
        && (earlier.Address.Equals(endPoint.Address)
            || UdpAdmission.IsWildcard(earlier.Address) || UdpAdmission.IsWildcard(endPoint.Address)));
}
