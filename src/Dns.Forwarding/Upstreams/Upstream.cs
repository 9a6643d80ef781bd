using System.Net;
using Dns.Protocol;
using Dns.Transport.Outgoing;

namespace Dns.Forwarding;

/// <summary>One address that questions are forwarded to, with everything learnt about it. Safe to use from any thread.</summary>
internal sealed class Upstream : IDisposable
{
    private const long StreamMemory = 3600 * TimeSpan.TicksPerSecond;
    private const long PlainMemory = 60 * TimeSpan.TicksPerSecond;

    /// <summary>The most tries sent while it is down that wait for it: some notice when it is back, a flood has to go elsewhere.</summary>
    internal const int MaxWhileDown = 64;

    private readonly MonotonicClock _clock;
    private readonly ServerBackoff _backoff;
    private volatile IReadOnlyList<DomainName> _zones = [];
    private long _streamUntil;
    private long _plainUntil;
    private bool _provedEdns;
    private int _sentWhileDown;
    private long _sent;
    private long _answered;
    private long _timedOut;
    private long _mismatched;
    private long _streamFallbacks;

    /// <summary>Makes the state of an upstream; opens nothing yet.</summary>
    /// <param name="address">Its address and port.</param>
    /// <param name="sockets">The most datagram sockets open at once.</param>
    /// <param name="services">What is shared.</param>
    internal Upstream(IPEndPoint address, int sockets, UpstreamServices services)
    {
        Address = address;
        _clock = services.Clock;
        Cookie = new(services.Random);
        Ports = new(this, services, sockets);
        Streams = new(this, services.Network, services.Clock, services.Wheel);
        _backoff = new(this, services);
    }

    /// <summary>Its address and port.</summary>
    internal IPEndPoint Address { get; }

    /// <summary>Measured round trips.</summary>
    internal RoundTrip RoundTrip { get; } = new();

    /// <summary>Our cookie for it.</summary>
    internal UpstreamCookie Cookie { get; }

    /// <summary>Its datagram sockets.</summary>
    internal DatagramPorts Ports { get; }

    /// <summary>Its streams.</summary>
    internal StreamConnections Streams { get; }

    /// <summary>Whether it is asked.</summary>
    internal UpstreamState State => _backoff.State;

    /// <summary>When the last reply that counts came, in ticks of the clock; -1 if none did.</summary>
    internal long LastReply => _backoff.LastReply;

    /// <summary>Whether it takes one more question.</summary>
    internal bool HasRoom =>
        State == UpstreamState.Up || State == UpstreamState.HeldDown && Volatile.Read(ref _sentWhileDown) < MaxWhileDown;

    /// <summary>Whether it is asked over streams alone for now.</summary>
    internal bool WantsStream => Volatile.Read(ref _streamUntil) > _clock.Now;

    /// <summary>Whether to send it EDNS.</summary>
    internal bool TakesEdns => Volatile.Read(ref _plainUntil) <= _clock.Now;

    /// <summary>Whether a reply of its had an OPT record: from then on a bare FORMERR is not its answer to one.</summary>
    internal bool ProvedEdns => Volatile.Read(ref _provedEdns);

    /// <summary>The zones it is asked for, at least one; a probe asks for the SOA of the first.</summary>
    internal IReadOnlyList<DomainName> Zones
    {
        get => _zones;
        set
        {
            _zones = value;
            _backoff.Probe = [.. value[0].Octets, 0, (byte)RRType.SOA, 0, (byte)RRClass.IN];
        }
    }

    /// <summary>So many more tries that were sent while it was down wait for it, or fewer.</summary>
    internal void CountSentWhileDown(int change) => Interlocked.Add(ref _sentWhileDown, change);

    /// <summary>A query went out.</summary>
    internal void CountSent() => Interlocked.Increment(ref _sent);

    /// <summary>A message came that nothing here waits for, or that is not what it waits for.</summary>
    internal void CountMismatch() => Interlocked.Increment(ref _mismatched);

    /// <summary>A question is asked again over a stream.</summary>
    internal void CountStreamFallback() => Interlocked.Increment(ref _streamFallbacks);

    /// <summary>A reply that counts came, whatever it says.</summary>
    internal void CountAnswer(long now)
    {
        Interlocked.Increment(ref _answered);
        _backoff.CountReply(now);
    }

    /// <summary>A try had no reply in time.</summary>
    internal void CountTimeout(long sentAt, ulong nameHash, long now)
    {
        Interlocked.Increment(ref _timedOut);
        RoundTrip.Penalise();
        _backoff.CountTimeout(sentAt, nameHash, now);
    }

    /// <summary>
    /// It does not copy the letter case of questions: nothing distinguishes its datagrams from forged ones. Remembered for an hour.
    /// </summary>
    internal void RememberStream() => Volatile.Write(ref _streamUntil, _clock.Now + StreamMemory);

    /// <summary>It takes no streams: then datagrams are asked for again, and count if they match in everything.</summary>
    /// <returns>Whether it was asked over streams alone.</returns>
    internal bool ForgetStream() => Interlocked.Exchange(ref _streamUntil, 0) > _clock.Now;

    /// <summary>It answers without EDNS what it does not with. Remembered for a minute.</summary>
    internal void RememberPlain() => Volatile.Write(ref _plainUntil, _clock.Now + PlainMemory);

    /// <summary>A reply of its had an OPT record.</summary>
    internal void RememberEdns() => Volatile.Write(ref _provedEdns, true);

    /// <summary>What was sent to it arrived here, or the settings say that it is this server.</summary>
    internal void Exclude(bool isForGood) => _backoff.Exclude(isForGood);

    /// <summary>The settings do not say that it is this server.</summary>
    internal void Include() => _backoff.Include();

    /// <summary>For people and metrics.</summary>
    internal UpstreamStatus ToStatus()
    {
        UpstreamState state = State;
        TimeSpan downFor = state == UpstreamState.HeldDown ? TimeSpan.FromTicks(_clock.Now - _backoff.DownSince) : TimeSpan.Zero;
        return new(
            Address, _zones, state, downFor, RoundTrip.Smoothed / (double)MonotonicClock.TicksPerMillisecond,
            Interlocked.Read(ref _sent), Interlocked.Read(ref _answered), Interlocked.Read(ref _timedOut),
            Interlocked.Read(ref _mismatched), Interlocked.Read(ref _streamFallbacks), WantsStream)
        {
            RoundTrips = RoundTrip.Counts,
        };
    }

    /// <summary>Closes its sockets.</summary>
    public void Dispose()
    {
        _backoff.Close();
        Ports.Dispose();
        Streams.Dispose();
    }
}
