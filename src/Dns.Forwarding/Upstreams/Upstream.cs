namespace Dns.Forwarding.Upstreams;

/// <summary>One upstream with its learnt state. Thread-safe.</summary>
internal sealed class Upstream : IDisposable
{
    private const long StreamMemory = 3600 * TimeSpan.TicksPerSecond;
    private const long PlainMemory = 60 * TimeSpan.TicksPerSecond;

    /// <summary>The maximum number of pending tries sent while it is down: enough to notice its return.</summary>
    internal const int MaxWhileDown = 64;

    private readonly MonotonicClock _clock;
    private readonly ServerBackoff _backoff;
    private volatile IReadOnlyList<DomainName> _zones = [];
    private long _streamUntil;
    private long _plainUntil;
    private bool _provedEdns;
    private int _sentWhileDown;
    private int _hasRefusal;
    private long _sent;
    private long _answered;
    private long _timedOut;
    private long _mismatched;
    private long _streamFallbacks;

    /// <summary>Creates the state of an upstream; opens nothing yet.</summary>
    /// <param name="sockets">The maximum number of open datagram sockets.</param>
    internal Upstream(PeerAddress server, int sockets, UpstreamServices services)
    {
        Server = server;
        _clock = services.Clock;
        Cookie = new(services.Random);
        Ports = new(this, services, sockets);
        Streams = new(this, services);
        _backoff = new(this, services);
    }

    internal PeerAddress Server { get; }

    /// <summary>Whether it can be queried by datagrams at all.</summary>
    internal bool HasDatagrams => Server.Scheme.HasDatagrams;

    internal RoundTrip RoundTrip { get; } = new();
    internal UpstreamCookie Cookie { get; }
    internal DatagramPorts Ports { get; }
    internal StreamConnections Streams { get; }

    /// <summary>Up, down or excluded.</summary>
    internal UpstreamState State => _backoff.State;

    /// <summary>The time of the last matched reply, in ticks of the clock; -1 for none.</summary>
    internal long LastReply => _backoff.LastReply;

    /// <summary>Whether it accepts another question.</summary>
    internal bool HasRoom =>
        State == UpstreamState.Up ||
            State == UpstreamState.Down && Volatile.Read(ref _sentWhileDown) < MaxWhileDown;

    /// <summary>Whether only streams are used for now.</summary>
    internal bool WantsStream => !HasDatagrams || Volatile.Read(ref _streamUntil) > _clock.Now;

    /// <summary>Whether to send it EDNS.</summary>
    internal bool TakesEdns => Volatile.Read(ref _plainUntil) <= _clock.Now;

    /// <summary>Whether a reply had an OPT record: one that fails with EDNS does not end EDNS for others.</summary>
    internal bool ProvedEdns => Volatile.Read(ref _provedEdns);

    /// <summary>Its forwarded zones, at least one; a probe queries the SOA of the first.</summary>
    internal IReadOnlyList<DomainName> Zones
    {
        get => _zones;
        set
        {
            _zones = value;
            _backoff.Probe = [.. value[0].Octets, 0, (byte)RRType.SOA, 0, (byte)RRClass.IN];
        }
    }

    /// <summary>Changes the number of pending tries sent while it is down.</summary>
    internal void CountSentWhileDown(int change) => Interlocked.Add(ref _sentWhileDown, change);

    internal void CountSent() => Interlocked.Increment(ref _sent);

    /// <summary>Counts a message that matches no pending query.</summary>
    internal void CountMismatch() => Interlocked.Increment(ref _mismatched);

    internal void CountStreamFallback() => Interlocked.Increment(ref _streamFallbacks);

    /// <summary>Counts a matched reply of any content.</summary>
    internal void CountAnswer(long now)
    {
        Interlocked.Increment(ref _answered);
        _backoff.CountReply(now);
    }

    internal void CountTimeout(long sentAt, ulong nameHash, long now)
    {
        Interlocked.Increment(ref _timedOut);
        RoundTrip.Penalise();
        _backoff.CountTimeout(sentAt, nameHash, now);
    }

    /// <summary>Counts a try that the system did not send, for want of a route or the like.</summary>
    internal void CountUnreachable() => _backoff.CountUnreachable();

    /// <summary>Whether the system had no socket for it for the first time.</summary>
    internal bool IsFirstRefusal() => Interlocked.Exchange(ref _hasRefusal, 1) == 0;

    // It does not copy the letter case of questions or our cookie: its datagrams look like forged ones. Streams only,
    // for an hour.
    internal void RememberStream() => Volatile.Write(ref _streamUntil, _clock.Now + StreamMemory);

    /// <summary>It supports no streams: datagrams are used again, and count if they match in everything.</summary>
    /// <returns>Whether only streams were used, and datagrams are possible.</returns>
    internal bool ForgetStream() => Interlocked.Exchange(ref _streamUntil, 0) > _clock.Now && HasDatagrams;

    /// <summary>It answers without EDNS only: no EDNS for a minute.</summary>
    internal void RememberPlain() => Volatile.Write(ref _plainUntil, _clock.Now + PlainMemory);

    /// <summary>A reply had an OPT record.</summary>
    internal void RememberEdns() => Volatile.Write(ref _provedEdns, true);

    /// <summary>It is this server, by a query that came back or by the settings.</summary>
    internal void Exclude(bool isForGood) => _backoff.Exclude(isForGood);

    /// <summary>The settings no longer name it as this server.</summary>
    internal void Include() => _backoff.Include();

    /// <summary>A copy for display and metrics.</summary>
    internal UpstreamStatus ToStatus()
    {
        UpstreamState state = State;
        TimeSpan downFor =
            state == UpstreamState.Down ? TimeSpan.FromTicks(_clock.Now - _backoff.DownSince) : TimeSpan.Zero;
        return new(
            Server, _zones, state, downFor, RoundTrip.Smoothed / (double)MonotonicClock.TicksPerMillisecond,
            Interlocked.Read(ref _sent), Interlocked.Read(ref _answered), Interlocked.Read(ref _timedOut),
            Interlocked.Read(ref _mismatched), Interlocked.Read(ref _streamFallbacks), WantsStream)
        {
            RoundTrips = RoundTrip.Counts, Fault = state == UpstreamState.Down ? _backoff.Fault : null,
        };
    }

    public void Dispose()
    {
        _backoff.Close();
        Ports.Dispose();
        Streams.Dispose();
    }
}
