using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>
/// Leaves an upstream alone that does not answer: after three time-outs in a row, with nothing heard since the first, it is
/// asked last. A probe goes out after 1 s, 2 s, then every 4 s; any reply brings it back, so at most 4 s after it returned.
/// </summary>
internal sealed class HoldDown(Upstream upstream, UpstreamServices services) : WheelNode, IReplySink
{
    private const int TimeoutsBefore = 3;
    private const long FirstHold = 1000 * MonotonicClock.TicksPerMillisecond;
    private const long LongestHold = 4000 * MonotonicClock.TicksPerMillisecond;

    private readonly Lock _gate = new();
    private volatile byte[] _probe = [];
    private volatile UpstreamState _state;
    private int _timeouts;
    private long _lastReply = -1;
    private long _downSince;
    private long _hold;
    private UpstreamPath? _path;
    private ushort _id;

    /// <summary>The question of a probe: name, type and class.</summary>
    internal byte[] Probe
    {
        set => _probe = value;
    }

    /// <summary>Whether the upstream is asked. Read for every query, so without the lock.</summary>
    internal UpstreamState State => _state;

    /// <summary>Since when it is held down, in ticks of the clock.</summary>
    internal long DownSince => Volatile.Read(ref _downSince);

    /// <summary>A reply came. Only one that was matched counts: a forger must not keep an upstream up.</summary>
    internal void CountReply(long now)
    {
        lock (_gate)
        {
            _timeouts = 0;
            _lastReply = now;
            if (_state != UpstreamState.HeldDown) return;
            _state = UpstreamState.Up;
            services.Wheel.Disarm(this);
            DropProbe();
        }
    }

    /// <summary>A try had no reply in time. One that was sent before the last reply says nothing about the upstream.</summary>
    internal void CountTimeout(long sentAt, long now)
    {
        lock (_gate)
        {
            if (_lastReply >= sentAt || _state != UpstreamState.Up || ++_timeouts < TimeoutsBefore) return;
            _state = UpstreamState.HeldDown;
            Volatile.Write(ref _downSince, now);
            _hold = FirstHold;
            services.Wheel.Arm(this, now + _hold);
        }
    }

    /// <summary>The upstream is this server: it stays out of use.</summary>
    internal void Exclude()
    {
        lock (_gate)
        {
            _state = UpstreamState.Ourselves;
            services.Wheel.Disarm(this);
            DropProbe();
        }
    }

    internal override void Fire(int generation)
    {
        if (State != UpstreamState.HeldDown) return;
        DatagramPort? port = upstream.Ports.Choose();
        ushort id = 0;
        if (port is not null && !port.TryRegister(new(this, 0, 0, 0), services.Random, out id)) port = null;
        lock (_gate)
        {
            DropProbe();
            (_path, _id) = (port, id);
            if (_state != UpstreamState.HeldDown)
            {
                DropProbe();
                return;
            }
            _hold = Math.Min(_hold * 2, LongestHold);
            services.Wheel.Arm(this, services.Clock.Now + _hold);
        }
        if (port is null) return;
        Span<byte> query = stackalloc byte[UpstreamQuery.MaxOctets];
        int length = UpstreamQuery.Write(query, _probe, QuestionFlags.None, false, false, default);
        System.Buffers.Binary.BinaryPrimitives.WriteUInt16BigEndian(query, id);
        upstream.CountSent();
        port.TrySend(query[..length]);
    }

    void IReplySink.Receive(in PendingTry pending, ReadOnlySpan<byte> reply, bool isStream)
    {
        if (ReplyMatch.Compare(reply, _probe) is ReplyMatch.Kind.None) upstream.CountMismatch();
        else upstream.CountAnswer(services.Clock.Now);
    }

    void IReplySink.CountGuess(in PendingTry pending)
    {
    }

    void IReplySink.EndOfStream(in PendingTry pending, bool hadReplies)
    {
    }

    private void DropProbe()
    {
        _path?.Remove(_id, this);
        _path = null;
    }
}
