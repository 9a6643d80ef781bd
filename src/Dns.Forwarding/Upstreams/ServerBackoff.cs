namespace Dns.Forwarding.Upstreams;

/// <summary>
/// Decides when an upstream is down, and probes it until it is back. A timeout means only that a name is slow. Three
/// timeouts with nothing received since the first was sent trigger a probe. The upstream is down once probes are
/// unanswered and nothing was received for 2 s. A try that the system does not send, as without a route, triggers
/// probes at once, and a probe that it does not send counts as an unanswered one. While it is down, probes are sent
/// after 1 s, 2 s, then every 4 s; any reply ends it. The probe prevents a client that queries unanswerable names from
/// making a live upstream look down.
/// </summary>
internal sealed class ServerBackoff(Upstream upstream, UpstreamServices services) : WheelNode, IReplySink
{
    private const int TimeoutsBeforeProbe = 3;
    private const int ProbesBeforeDown = 2;

    /// <summary>If no probe can be sent: the number of waiting names from which silence counts.</summary>
    private const int NamesBeforeDown = 3;
    private const long SilenceBeforeDown = 2000 * MonotonicClock.TicksPerMillisecond;
    private const long LeastProbeWait = 500 * MonotonicClock.TicksPerMillisecond;

    /// <summary>A client that queries slow names causes at most one series of probes a second.</summary>
    private const long MinProbeInterval = 1000 * MonotonicClock.TicksPerMillisecond;
    private const long FirstPause = 1000 * MonotonicClock.TicksPerMillisecond;
    private const long LongestPause = 4000 * MonotonicClock.TicksPerMillisecond;

    private const long Exclusion = 60_000 * MonotonicClock.TicksPerMillisecond;

    private readonly Lock _gate = new();
    private readonly ulong[] _silentNames = new ulong[NamesBeforeDown];
    private volatile byte[] _probe = [];
    private volatile UpstreamState _state;
    private UpstreamState _reportedState;
    private int _timeouts;
    private int _silentNameCount;
    private int _attempts;
    private int _probes;
    private bool _isSuspected;
    private long _lastReply = -1;
    private long _silentSince;
    private long _nextProbes;
    private long _downSince;
    private long _pause;
    private long _excludedUntil;
    private UpstreamPath? _path;
    private ushort _id;
    private volatile NetworkFault? _fault;

    /// <summary>The question of a probe: name, type and class.</summary>
    internal byte[] Probe
    {
        set => _probe = value;
    }

    /// <summary>The state. Read for every query, so lock-free.</summary>
    internal UpstreamState State => _state == UpstreamState.Self && IsExclusionOver ? UpstreamState.Up : _state;

    /// <summary>The time of the last matched reply, in ticks of the clock; -1 for none.</summary>
    internal long LastReply => Volatile.Read(ref _lastReply);

    /// <summary>When it went down, in ticks of the clock.</summary>
    internal long DownSince => Volatile.Read(ref _downSince);

    /// <summary>Why the network did not let the last probe be sent; none if it did.</summary>
    internal NetworkFault? Fault => _fault;

    /// <summary>Counts a matched reply; others do not count, since they may be forged.</summary>
    internal void CountReply(long now)
    {
        lock (_gate)
        {
            Volatile.Write(ref _lastReply, now);
            _timeouts = _silentNameCount = 0;
            EndExclusion();
            if (_state == UpstreamState.Up && _reportedState == UpstreamState.Self) ReportLater(UpstreamState.Up, now);
            if (!_isSuspected && _state != UpstreamState.Down) return;
            _isSuspected = false;
            services.Wheel.Disarm(this);
            DropProbe();
            if (_state == UpstreamState.Down) ReportLater(UpstreamState.Up, now);
        }
    }

    /// <summary>Counts a timeout. A try sent before the last reply proves nothing about the upstream.</summary>
    internal void CountTimeout(long sentAt, ulong nameHash, long now)
    {
        lock (_gate)
        {
            EndExclusion();
            if (_lastReply >= sentAt || _state != UpstreamState.Up) return;
            _silentSince = _timeouts == 0 ? sentAt : Math.Min(_silentSince, sentAt);
            if (_silentNameCount < NamesBeforeDown && !_silentNames.AsSpan(0, _silentNameCount).Contains(nameHash))
                _silentNames[_silentNameCount++] = nameHash;
            if (++_timeouts < TimeoutsBeforeProbe || _isSuspected) return;
            Suspect(now);
        }
    }

    /// <summary>
    /// Counts a try that the system did not send. It only triggers probes: the error of a socket in use may come from a
    /// forged ICMP message, but none can be pending on the new socket of a probe.
    /// </summary>
    internal void CountUnreachable()
    {
        lock (_gate)
        {
            EndExclusion();
            if (_state != UpstreamState.Up || _isSuspected) return;
            _silentSince = services.Clock.Now;
            Suspect(_silentSince);
        }
    }

    // Excludes the upstream because it is this server. For good if the settings say so; else for a minute, since an
    // address may move to another machine: if it is still ours, the next question comes back and goes to the next
    // upstream.
    internal void Exclude(bool isForGood)
    {
        lock (_gate)
        {
            long now = services.Clock.Now;
            Volatile.Write(ref _excludedUntil, isForGood ? long.MaxValue : now + Exclusion);
            Stop();
            ReportLater(UpstreamState.Self, now);
        }
    }

    /// <summary>Ends the exclusion by settings.</summary>
    internal void Include()
    {
        lock (_gate)
        {
            if (_state == UpstreamState.Self && _excludedUntil == long.MaxValue)
                Volatile.Write(ref _excludedUntil, 0);
            EndExclusion();
        }
    }

    /// <summary>Stops probing for good.</summary>
    internal void Close()
    {
        lock (_gate)
        {
            _state = _reportedState = UpstreamState.Self;
            Volatile.Write(ref _excludedUntil, long.MaxValue);
            Stop();
        }
    }

    /// <summary>Sends a probe, or concludes from those without a reply.</summary>
    public override void Fire(int generation)
    {
        bool mustProbe;
        TimeSpan wasDownFor = TimeSpan.Zero;
        bool mustReport;
        lock (_gate)
        {
            long now = services.Clock.Now;
            mustProbe = IsProbing && !Conclude(now);
            // Counted from probes that are sent: suspicions that a reply ends first must not delay the next one.
            if (mustProbe) _nextProbes = now + MinProbeInterval;
            mustReport = _reportedState != _state;
            if (_reportedState == UpstreamState.Down) wasDownFor = TimeSpan.FromTicks(now - _downSince);
            _reportedState = _state;
        }
        if (mustReport) services.StateChanged?.Invoke(upstream, wasDownFor);
        if (mustProbe) SendProbe();
    }

    QueryOwner IReplySink.Owner => QueryOwner.None;

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

    void IReplySink.OnEvicted(in PendingTry pending)
    {
    }

    private bool IsExclusionOver => Volatile.Read(ref _excludedUntil) <= services.Clock.Now;

    private bool IsProbing => _isSuspected || _state == UpstreamState.Down;

    /// <summary>Concludes that the upstream is down, or schedules the probe after the next. Under the lock.</summary>
    /// <returns>Whether it is down now; then no probe is due.</returns>
    private bool Conclude(long now)
    {
        long next = now + Math.Max(LeastProbeWait, upstream.RoundTrip.Wait);
        bool isDown = _isSuspected && now - _silentSince >= SilenceBeforeDown && _attempts >= ProbesBeforeDown
            && (_probes > 0 || _fault is not null || _silentNameCount >= NamesBeforeDown);
        if (isDown)
        {
            _isSuspected = false;
            _state = UpstreamState.Down;
            Volatile.Write(ref _downSince, now);
            next = now + (_pause = FirstPause);
        }
        else if (!_isSuspected)
        {
            next = now + (_pause = Math.Min(_pause * 2, LongestPause));
        }
        else if (++_attempts >= ProbesBeforeDown && _fault is null)
        {
            // No more probes until then, if they are sent: a reply may still come.
            next = Math.Max(next, _silentSince + SilenceBeforeDown);
        }
        services.Wheel.Arm(this, next);
        return isDown;
    }

    private void SendProbe()
    {
        NetworkFault? fault = null;
        UpstreamPath? port = upstream.HasDatagrams
            ? upstream.Ports.ChooseForProbe(out fault) : upstream.Streams.Choose(QueryOwner.None);
        ushort id = 0;
        bool isRegistered = port is not null && port.TryRegister(new(this, 0, 0, 0), services.Random, out id);
        lock (_gate)
        {
            DropProbe();
            _fault = fault is { IsUnreachable: true } ? fault : null;
            if (!isRegistered) return;
            (_path, _id) = (port, id);
            if (!IsProbing)
            {
                DropProbe();
                return;
            }
            _probes++;
        }
        Span<byte> query = stackalloc byte[UpstreamQueryMessage.MaxOctets];
        int length = UpstreamQueryMessage.Write(query, _probe, QuestionFlags.None, false, false, default);
        MessageHeader.SetId(query, id);
        upstream.CountSent();
        // Only the error of a new socket counts.
        if (!port!.TrySend(query[..length], out NetworkFault? unsent)) WithdrawProbe(id, fault ?? unsent);
    }

    /// <summary>The probe was not sent.</summary>
    private void WithdrawProbe(ushort id, NetworkFault? fault)
    {
        lock (_gate)
        {
            if (_path is null || _id != id) return;
            DropProbe();
            _probes--;
            _fault = fault is { IsUnreachable: true } ? fault : null;
        }
    }

    private void Suspect(long now)
    {
        _isSuspected = true;
        _attempts = _probes = 0;
        services.Wheel.Arm(this, Math.Max(now, _nextProbes));
    }

    /// <summary>Changes the state; the wheel reports it, since the caller may hold locks.</summary>
    private void ReportLater(UpstreamState state, long now)
    {
        _state = state;
        services.Wheel.Arm(this, now);
    }

    private void EndExclusion()
    {
        if (_state == UpstreamState.Self && IsExclusionOver) _state = UpstreamState.Up;
    }

    private void Stop()
    {
        _isSuspected = false;
        services.Wheel.Disarm(this);
        DropProbe();
    }

    private void DropProbe()
    {
        _path?.Remove(_id, this);
        _path = null;
    }
}
