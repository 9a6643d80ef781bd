namespace Dns.Transport.Proxy;

/// <summary>Strips the PROXY header of datagrams, passes the client's address on, and answers the proxy.</summary>
/// <remarks>Allocates once for each thread.</remarks>
internal sealed class ProxiedDatagrams : IMessageResponder
{
    [ThreadStatic]
    private static Paths? s_paths;

    private readonly IMessageResponder _responder;
    private volatile ClientNetworks? _proxies;
    private long _badHeaders;

    public ProxiedDatagrams(IMessageResponder responder, ClientNetworks? proxies)
    {
        _responder = responder;
        _proxies = proxies;
    }

    /// <summary>Addresses of proxies; null = none. A change applies from the next batch on.</summary>
    public ClientNetworks? Proxies
    {
        get => _proxies;
        set => _proxies = value;
    }

    /// <summary>Datagrams from proxies without a valid header.</summary>
    public long BadHeaders => Interlocked.Read(ref _badHeaders);

    public void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths)
    {
        if (_proxies is not { } proxies)
        {
            _responder.RespondToDatagrams(in batch, paths);
            return;
        }
        Paths own = s_paths ??= new Paths();
        own.Begin(paths, batch.Clients);
        for (int i = 0; i < batch.Count; i++)
            TakeHeader(proxies, batch.Slot(i), ref batch.Lengths[i], ref batch.Clients[i]);
        _responder.RespondToDatagrams(in batch, own);
    }

    public int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths) =>
        _responder.RespondToMessage(message, queryOctets, ref origin, paths);

    /// <summary>Drops datagrams of proxies without a valid header (client unknown), and of others with one.</summary>
    private void TakeHeader(ClientNetworks proxies, Span<byte> slot, ref int length, ref ClientAddress client)
    {
        if (length == 0) return;
        Span<byte> datagram = slot[..Math.Min(length, slot.Length)];
        if (!proxies.Contains(ref client))
        {
            length = ProxyHeader.StartsLikeOne(datagram) ? 0 : length;
        }
        else if (ProxyHeader.Read(datagram, ref client, out int header) == ProxyHeaderStatus.Whole)
        {
            datagram[header..].CopyTo(slot);
            length = length > slot.Length ? length : length - header;
        }
        else
        {
            Interlocked.Increment(ref _badHeaders);
            length = 0;
        }
    }

    /// <summary>Reply paths to the proxies.</summary>
    private sealed class Paths : IReplyPaths
    {
        private const int LargestBatch = 64;

        private readonly ClientAddress[] _peers = new ClientAddress[LargestBatch];
        private IReplyPaths _paths = null!;

        public void Begin(IReplyPaths paths, ReadOnlySpan<ClientAddress> peers)
        {
            _paths = paths;
            peers.CopyTo(_peers);
        }

        public ReplyPath TakePath(int slot) => _paths.TakePath(slot) with { Peer = _peers[slot] };
    }
}
