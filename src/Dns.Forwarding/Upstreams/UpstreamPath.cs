using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Transport.Outgoing;

namespace Dns.Forwarding;

/// <summary>A socket to an upstream, with the IDs of what is waited for on it. IDs are random and unique on their path.</summary>
/// <remarks>The lock is held for a few instructions, never during a system call or a call to a sink.</remarks>
internal abstract class UpstreamPath(Upstream upstream) : WheelNode, IPathReceiver
{
    private const int Absent = -1;

    private readonly Lock _gate = new();
    private ushort[] _ids = new ushort[4];
    private PendingTry[] _pending = new PendingTry[4];
    private int _count;

    /// <summary>Whom it leads to.</summary>
    internal Upstream Upstream => upstream;

    /// <summary>The most tries that may wait on it.</summary>
    protected abstract int MaxPending { get; }

    /// <summary>How many tries wait on it.</summary>
    internal int PendingCount => Volatile.Read(ref _count);

    /// <summary>Sends a query whose ID is registered.</summary>
    /// <returns>False if it cannot be sent at all.</returns>
    internal abstract bool TrySend(ReadOnlySpan<byte> query);

    /// <inheritdoc/>
    public abstract void Receive(ReadOnlySpan<byte> octets);

    /// <inheritdoc/>
    public abstract void End();

    /// <summary>Draws an ID that nobody waits under and waits under it.</summary>
    /// <returns>False if as many tries wait here as may; the path is then released.</returns>
    internal bool TryRegister(in PendingTry pending, RandomOctets random, out ushort id)
    {
        id = random.NextUInt16();
        bool isWhileDown = Upstream.State == UpstreamState.HeldDown && pending.Sink is not ServerBackoff;
        bool hasRoom = TryAdd(pending with { IsSentWhileDown = isWhileDown }, random, ref id);
        if (!hasRoom) OnReleased();
        else if (isWhileDown) Upstream.CountSentWhileDown(1);
        return hasRoom;
    }

    private bool TryAdd(in PendingTry pending, RandomOctets random, ref ushort id)
    {
        lock (_gate)
        {
            if (_count >= MaxPending) return false;
            // So few of 65,536 are taken that this ends after a draw or two.
            while (Find(id) != Absent) id = random.NextUInt16();
            if (_count == _ids.Length)
            {
                Array.Resize(ref _ids, _count * 2);
                Array.Resize(ref _pending, _count * 2);
            }
            _ids[_count] = id;
            _pending[_count++] = pending;
        }
        return true;
    }

    /// <summary>Stops to wait.</summary>
    internal void Remove(ushort id, IReplySink sink)
    {
        PendingTry removed;
        lock (_gate)
        {
            int at = Find(id);
            if (at == Absent || _pending[at].Sink != sink) return;
            removed = RemoveAt(at);
        }
        Release(in removed);
    }

    /// <summary>Stops to wait for a try, which is told so, unless it has ended meanwhile.</summary>
    internal void Evict(in PendingStreamTry place)
    {
        PendingTry removed;
        lock (_gate)
        {
            int at = Find(place.Id);
            if (at == Absent || _pending[at].SentAt != place.SentAt || _pending[at].Client != place.Client) return;
            removed = RemoveAt(at);
        }
        Release(in removed);
        removed.Sink.GiveWay(in removed);
    }

    /// <summary>Writes down which tries wait here, as many as there is room for.</summary>
    /// <param name="path">Which of several paths this is.</param>
    /// <param name="places">Room.</param>
    /// <returns>How many.</returns>
    protected int CopyPlaces(int path, Span<PendingStreamTry> places)
    {
        lock (_gate)
        {
            int count = Math.Min(_count, places.Length);
            for (int i = 0; i < count; i++) places[i] = new(_pending[i].Client, _pending[i].SentAt, path, _ids[i]);
            return count;
        }
    }

    private PendingTry RemoveAt(int at)
    {
        PendingTry removed = _pending[at];
        _count--;
        _ids[at] = _ids[_count];
        _pending[at] = _pending[_count];
        _pending[_count] = default;
        return removed;
    }

    private void Release(in PendingTry removed)
    {
        if (removed.IsSentWhileDown) Upstream.CountSentWhileDown(-1);
        OnReleased();
    }

    /// <summary>Called without the lock when a try that chose this path has stopped to use it.</summary>
    protected virtual void OnReleased()
    {
    }

    /// <summary>Gives a message to the try that waits under its ID. Without one it is counted for those who ask the same.</summary>
    /// <returns>Whether somebody waited.</returns>
    protected bool Deliver(ReadOnlySpan<byte> message, bool isStream)
    {
        if (message.Length >= MessageHeader.LengthOctets)
        {
            ushort id = MessageHeader.Id(message);
            PendingTry pending;
            lock (_gate)
            {
                int at = Find(id);
                pending = at == Absent ? default : _pending[at];
            }
            if (pending.Sink is not null)
            {
                pending.Sink.Receive(pending, message, isStream);
                return true;
            }
        }
        Upstream.CountMismatch();
        if (!isStream) CountGuess(message);
        return false;
    }

    /// <summary>Takes out all tries, to tell them that the path has ended.</summary>
    protected int TakeAll(ref PendingTry[] taken)
    {
        int count;
        lock (_gate)
        {
            count = _count;
            (taken, _pending) = (_pending, new PendingTry[_ids.Length]);
            _count = 0;
        }
        foreach (ref readonly PendingTry pending in taken.AsSpan(0, count))
            if (pending.IsSentWhileDown) Upstream.CountSentWhileDown(-1);
        return count;
    }

    private int Find(ushort id) => _ids.AsSpan(0, _count).IndexOf(id);

    private void CountGuess(ReadOnlySpan<byte> message)
    {
        Unsafe.SkipInit(out LookupName name);
        if (PendingCount == 0 || message.Length < MessageHeader.LengthOctets || MessageHeader.Count(message, 0) == 0
            || !name.TryRead(message, MessageHeader.LengthOctets, message.Length)) return;
        for (int i = 0; TryGetAt(i, out PendingTry pending); i++)
            if (pending.NameHash == name.Hash) pending.Sink.CountGuess(pending);
    }

    private bool TryGetAt(int index, out PendingTry pending)
    {
        lock (_gate)
        {
            pending = index < _count ? _pending[index] : default;
            return index < _count;
        }
    }
}
