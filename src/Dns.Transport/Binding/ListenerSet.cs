using System.Net.Sockets;

namespace Dns.Transport.Binding;

/// <summary>
/// All listening sockets of a server: bound first, started later, stopped together.
/// <code>
/// ListenerSet listeners = ListenerSet.Bind(options, out IReadOnlyList&lt;BindFailure&gt; failures);
/// listeners.Start(responder);
/// await listeners.StopAsync(TimeSpan.FromSeconds(5));
/// </code>
/// </summary>
public sealed class ListenerSet : IAsyncDisposable
{
    private readonly List<IListener> _listeners = [];
    private readonly List<string> _notes = [];
    private readonly TransportOptions _options;
    private readonly ListenerHost _host;
    private readonly TcpListeners _tcp;
    private ConditionLog? _conditions;
    private ProxiedDatagrams? _proxied;
    private int _started;

    private ListenerSet(TransportOptions options)
    {
        _options = options;
        TcpLimits limits = DescriptorLimit.Apply(options.Tcp, options.OtherDescriptors);
        Note(DescriptorLimit.Explain(options.Tcp, limits));
        _tcp = new TcpListeners(limits, options.Clock, options.StreamPool, options.ProxyFrom)
        {
            Exceptions = options.Exceptions,
        };
        UdpListener = UdpListeners.Choose(options.UdpListener);
        Note(UdpListeners.Explain(options.UdpListener, UdpListener));
        _host = new ListenerHost(options, UdpListener, _tcp);
        if (OperatingSystem.IsLinux() && UdpListener == UdpListenerKind.Batched && !ThreadAffinity.IsPermitted())
            Note("threads cannot be pinned to processors here; the system schedules them");
        if (options.WorkerCount > 1 && !ListenSocket.MaySharePort())
            Note("sockets cannot share a port here; one socket serves each address");
    }

    /// <summary>The bound listeners, with chosen ports in place of 0.</summary>
    public IReadOnlyList<ListenerAddress> Listeners => [.. _listeners.Select(listener => listener.Address)];

    /// <summary>Their addresses.</summary>
    public IReadOnlyList<IPEndPoint> EndPoints => [.. _listeners.Select(listener => listener.Address.EndPoint)];

    /// <summary>The bound sockets, to pass to another process. Owned by this set.</summary>
    public IReadOnlyList<OpenListener> Handles =>
        [.. _listeners.SelectMany(
            listener => listener.Handles, (listener, handle) => new OpenListener(handle, listener.Address.Kind))];

    /// <summary>The UDP listener in use: batched or portable, never auto.</summary>
    public UdpListenerKind UdpListener { get; }

    /// <summary>Notices for the operator, one line each, such as a fallback of a listener.</summary>
    public IReadOnlyList<string> Notes => _notes;

    /// <summary>
    /// Binds every listener by the factory of its kind; reports all failures. Receives nothing before
    /// <see cref="Start"/>. To reject a failure, the caller disposes the set, which closes everything.
    /// </summary>
    public static ListenerSet Bind(TransportOptions options, out IReadOnlyList<BindFailure> failures)
    {
        ListenerSet set = new(options);
        List<BindFailure> found = [];
        foreach (ListenerAddress address in options.Listeners)
        {
            if (set.TryBind(address) is BindFailure failure) found.Add(failure);
        }
        failures = found;
        return set;
    }

    /// <summary>Starts to serve all bound addresses. Once only.</summary>
    /// <param name="notice">Receives notices for the operator: each once, one line, on timer threads.</param>
    /// <exception cref="InvalidOperationException">The set has been started or stopped already.</exception>
    public void Start(IMessageResponder responder, Action<string>? notice = null)
    {
        if (Interlocked.Exchange(ref _started, 1) != 0)
            throw new InvalidOperationException("The listeners were started or stopped before.");
        _proxied = new ProxiedDatagrams(responder, _tcp.ProxyFrom);
        _tcp.Start(responder);
        _listeners.ForEach(listener => listener.Start(_proxied));
        if (notice is not null) _conditions = new ConditionLog(this, _options, notice);
    }

    /// <summary>Changes limits of TCP and proxies, from the next datagram and connection on.</summary>
    /// <param name="limits">The limits; socket buffers keep their size.</param>
    /// <param name="proxyFrom">Addresses of proxies; null = none.</param>
    /// <param name="otherDescriptors">File descriptors reserved for other parts of the process.</param>
    /// <returns>A notice for the operator; null = none.</returns>
    public string? Use(TcpLimits limits, ClientNetworks? proxyFrom, int otherDescriptors)
    {
        TcpLimits applied = DescriptorLimit.Apply(limits, otherDescriptors);
        _tcp.Use(applied, proxyFrom);
        _proxied?.Proxies = proxyFrom;
        return DescriptorLimit.Explain(limits, applied);
    }

    /// <summary>
    /// Stops accepting TCP connections; existing ones and UDP are still served. For a takeover by another process, so
    /// that connections that were just accepted here are not reset.
    /// </summary>
    public void StopAccepting() => _listeners.ForEach(listener => listener.StopAccepting());

    /// <summary>
    /// Stops receiving, answers what was read, closes idle connections, waits for pending replies for about
    /// <paramref name="grace"/>, then closes everything. Never throws.
    /// </summary>
    public async Task StopAsync(TimeSpan grace)
    {
        Interlocked.Exchange(ref _started, 1);
        await Task.WhenAll([.. _listeners.Select(listener => listener.StopAsync(grace)), _tcp.StopAsync(grace)])
            .ConfigureAwait(false);
        _conditions?.Dispose();
        _conditions?.Poll();
    }

    /// <summary>Stops with a short grace.</summary>
    public async ValueTask DisposeAsync() => await StopAsync(TimeSpan.FromSeconds(1)).ConfigureAwait(false);

    /// <summary>The UDP counters, over all listeners.</summary>
    public UdpCounters ReadUdpCounters()
    {
        UdpCounters sum = default;
        foreach (IListener listener in _listeners) sum += listener.Counters;
        return sum;
    }

    /// <summary>Datagrams from proxies without a valid header, over all addresses; part of the unanswered.</summary>
    public long BadProxyDatagrams => _proxied?.BadHeaders ?? 0;

    /// <summary>The TCP counters, over all listeners.</summary>
    public TcpCounters ReadTcpCounters() => _tcp.Counters;

    /// <summary>
    /// Whether connections are accepted on every address; false if an accept loop has stalled or only failed for 30
    /// seconds. True before the start and after a stop.
    /// </summary>
    public bool IsAccepting => _listeners.TrueForAll(listener => listener.IsAccepting);

    private void Note(string? line)
    {
        if (line is not null) _notes.Add(line);
    }

    private BindFailure? TryBind(ListenerAddress address)
    {
        if (!_options.Factories.TryGetValue(address.Kind, out IListenerFactory? factory))
        {
            return BindFailure.From(
                address, ProtocolType.Tcp, new SocketException((int)SocketError.ProtocolNotSupported));
        }
        if (factory.TryBind(address, _host, out BindFailure? failure) is { } listener)
        {
            _listeners.Add(listener);
            return null;
        }
        return failure!.Kind == BindFailureKind.AddressInUse && EarlierCover(address.EndPoint) is { } earlier
            ? BindFailure.ListedTwice(address.EndPoint, failure.Protocol, earlier)
            : failure;
    }

    private IPEndPoint? EarlierCover(IPEndPoint endPoint) =>
        EndPoints.FirstOrDefault(earlier => ListenerAddress.Overlap(earlier, endPoint));
}
