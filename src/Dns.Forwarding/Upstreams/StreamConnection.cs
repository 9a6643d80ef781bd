using System.Buffers;
using System.Diagnostics;

namespace Dns.Forwarding.Upstreams;

/// <summary>
/// One stream to an upstream (RFC 7766): queries are pipelined, replies come in any order with a length prefix. Closes
/// when idle for 10 s, when pending replies or the last query bring no octet for 5 s, or when the upstream accepts no
/// more queries.
/// </summary>
internal sealed class StreamConnection : UpstreamPath, IDisposable
{
    /// <summary>The maximum number of pending queries.</summary>
    internal const int MaxQueries = 64;

    private const int PrefixOctets = 2;
    private const int MaxStrayMessages = 8;
    private const long CheckInterval = 1000 * MonotonicClock.TicksPerMillisecond;
    private const long IdleTimeout = 10_000 * MonotonicClock.TicksPerMillisecond;
    private const long SilenceTimeout = 5000 * MonotonicClock.TicksPerMillisecond;

    private readonly MonotonicClock _clock;
    private readonly TimingWheel _wheel;
    private readonly StreamPath _path;
    private byte[] _buffer = [];
    private int _filled;
    private int _queries;
    private int _replies;
    private int _strayMessages;
    private long _lastUse;
    private long _silentSince;
    private volatile bool _isStalled;

    /// <summary>Whether octets have come since the last query was sent.</summary>
    private volatile bool _hasHeard = true;
    private int _isClosed;

    /// <summary>Takes queries at once; sends them after <see cref="Open"/>.</summary>
    internal StreamConnection(Upstream upstream, UpstreamServices services)
        : base(upstream)
    {
        (_clock, _wheel) = (services.Clock, services.Wheel);
        _lastUse = _silentSince = _clock.Now;
        _path = new(services.Network.MakeStream(upstream.Server), this, services.Exceptions);
    }

    protected override int MaxPending => MaxQueries;

    /// <summary>Whether it accepts no more queries.</summary>
    internal bool IsClosed => Volatile.Read(ref _isClosed) != 0;

    internal bool HasRoom => !IsClosed && !_isStalled && PendingCount < MaxPending;

    internal bool HadReplies => Volatile.Read(ref _replies) > 0;

    internal int CopyWaiting(int number, Span<PendingStreamTry> tries) => IsClosed ? 0 : CopyTries(number, tries);

    /// <summary>Starts to connect. Once.</summary>
    internal void Open()
    {
        _path.Start();
        if (!IsClosed) _wheel.Arm(this, _clock.Now + CheckInterval);
    }

    internal override bool TrySend(ReadOnlySpan<byte> query, out NetworkFault? fault)
    {
        // Whatever ends a stream comes by its end, and may be forged.
        fault = null;
        Debug.Assert(query.Length <= UpstreamQueryMessage.MaxOctets);
        Span<byte> frame = stackalloc byte[PrefixOctets + UpstreamQueryMessage.MaxOctets];
        BinaryPrimitives.WriteUInt16BigEndian(frame, (ushort)query.Length);
        query.CopyTo(frame[PrefixOctets..]);
        long now = _clock.Now;
        Volatile.Write(ref _lastUse, now);
        // More queries do not reset the silence of an upstream that owes replies, also to a query that timed out.
        if (PendingCount <= 1 && _hasHeard) Volatile.Write(ref _silentSince, now);
        _hasHeard = false;
        Interlocked.Increment(ref _queries);
        if (IsClosed) return false;
        // The upstream does not read. Not closed here: the sender may hold the lock of a waiting query.
        if (_path.TrySend(frame[..(PrefixOctets + query.Length)])) return true;
        _isStalled = true;
        _wheel.Arm(this, now);
        return false;
    }

    public override void Receive(ReadOnlySpan<byte> octets)
    {
        long now = _clock.Now;
        Volatile.Write(ref _lastUse, now);
        Volatile.Write(ref _silentSince, now);
        _hasHeard = true;
        while (!octets.IsEmpty && !IsClosed)
        {
            // Complete messages are delivered in place; only partial ones are copied.
            if (_filled == 0 && TryMeasure(octets, out int frame) && octets.Length >= frame)
            {
                Take(octets[PrefixOctets..frame]);
                octets = octets[frame..];
                continue;
            }
            octets = octets[Append(octets)..];
        }
    }

    public override void End()
    {
        Close();
        if (_buffer.Length > 0) ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
    }

    public void Dispose() => Close();

    public override void Fire(int generation)
    {
        if (IsClosed) return;
        long now = _clock.Now;
        bool isOver = PendingCount > 0 || !_hasHeard
            ? now - Volatile.Read(ref _silentSince) >= SilenceTimeout
            : now - Volatile.Read(ref _lastUse) >= IdleTimeout;
        if (isOver || _isStalled) Close();
        else _wheel.Arm(this, _clock.Now + CheckInterval);
    }

    private static bool TryMeasure(ReadOnlySpan<byte> octets, out int frameOctets)
    {
        frameOctets = octets.Length < PrefixOctets ? 0 : PrefixOctets + BinaryPrimitives.ReadUInt16BigEndian(octets);
        return frameOctets > 0;
    }

    /// <summary>Copies no more than the first message needs, and delivers it once complete.</summary>
    private int Append(ReadOnlySpan<byte> octets)
    {
        int wanted = TryMeasure(_buffer.AsSpan(0, _filled), out int frame) ? frame : PrefixOctets;
        Reserve(wanted);
        int taken = Math.Min(wanted - _filled, octets.Length);
        octets[..taken].CopyTo(_buffer.AsSpan(_filled));
        _filled += taken;
        if (TryMeasure(_buffer.AsSpan(0, _filled), out frame) && _filled == frame)
        {
            _filled = 0;
            Take(_buffer.AsSpan(PrefixOctets, frame - PrefixOctets));
        }
        return taken;
    }

    private void Reserve(int octets)
    {
        if (_buffer.Length >= octets) return;
        byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(octets, 512));
        _buffer.AsSpan(0, _filled).CopyTo(larger);
        if (_buffer.Length > 0) ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = larger;
    }

    private void Take(ReadOnlySpan<byte> message)
    {
        // Only the upstream can write here; one that sends more than was queried is disconnected. Replies to abandoned
        // queries may come late.
        if (Deliver(message, isStream: true)) Interlocked.Increment(ref _replies);
        else if (++_strayMessages >= MaxStrayMessages + Volatile.Read(ref _queries) - _replies) Close();
    }

    /// <summary>Keeps the buffer: the network may still deliver, until <see cref="End"/>.</summary>
    private void Close()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) != 0) return;
        _wheel.Disarm(this);
        Upstream.Streams.Remove(this);
        _path.Dispose();
        PendingTry[] pending = [];
        int count = TakeAll(ref pending);
        for (int i = 0; i < count; i++) pending[i].Sink.EndOfStream(pending[i], HadReplies);
    }
}
