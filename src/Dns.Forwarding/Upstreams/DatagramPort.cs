namespace Dns.Forwarding.Upstreams;

/// <summary>
/// One connected datagram socket on a random port. After a number of queries, or idle for a time, it accepts no more,
/// and closes after the last of them: no port lives long enough to be found and attacked.
/// </summary>
internal sealed class DatagramPort(Upstream upstream) : UpstreamPath(upstream), IDisposable
{
    /// <summary>The number of queries after which a port is replaced.</summary>
    internal const int MaxQueries = 64;

    private IDatagramPath? _path;
    private ClientAddress _local;
    private int _queries;
    private int _outstanding;
    private int _isRetired;
    private int _isClosed;
    private long _lastUse;

    protected override int MaxPending => MaxQueries;

    internal ClientAddress Local => _local;

    internal bool TryOpen(IOutgoingNetwork network, PeerAddress server, int localPort, out NetworkFault? fault)
    {
        _path = network.OpenDatagrams(server, localPort, this, out fault);
        if (_path is not null) _local = ClientAddress.From(_path.Local);
        return _path is not null;
    }

    /// <summary>Reserves a query, to be registered. The socket stays open until it ends. False if exhausted.</summary>
    /// <param name="now">The time, in ticks of the clock.</param>
    /// <param name="evenIfExhausted">Whether to exceed the number of queries.</param>
    internal bool TryUse(long now, bool evenIfExhausted = false)
    {
        Volatile.Write(ref _lastUse, now);
        Interlocked.Increment(ref _outstanding);
        if (Volatile.Read(ref _isRetired) == 0
            && (Interlocked.Increment(ref _queries) <= MaxQueries || evenIfExhausted))
            return true;
        OnReleased();
        return false;
    }

    /// <summary>Whether there was no query since a time, in ticks of the clock.</summary>
    internal bool IsIdleSince(long time) => Volatile.Read(ref _lastUse) <= time;

    /// <summary>Accepts no more queries.</summary>
    internal void Retire()
    {
        Interlocked.Exchange(ref _isRetired, 1);
        if (Volatile.Read(ref _outstanding) == 0) Dispose();
    }

    internal override bool TrySend(ReadOnlySpan<byte> query, out NetworkFault? fault) =>
        _path!.TrySend(query, out fault);

    public override void Receive(ReadOnlySpan<byte> octets) => Deliver(octets, isStream: false);

    public override void End()
    {
        // An error does not end a datagram socket: the ICMP message behind it can be forged.
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) == 0) _path?.Dispose();
    }

    public override void Fire(int generation)
    {
    }

    protected override void OnReleased()
    {
        if (Interlocked.Decrement(ref _outstanding) == 0 && Volatile.Read(ref _isRetired) != 0) Dispose();
    }
}
