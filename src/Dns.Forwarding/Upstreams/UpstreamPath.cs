namespace Dns.Forwarding.Upstreams;

/// <summary>A socket to an upstream, with its pending message IDs, which are random and unique on the path.</summary>
/// <remarks>The lock is held for a few instructions, never during a system call or a call to a sink.</remarks>
internal abstract class UpstreamPath(Upstream upstream) : WheelNode, IPathReceiver
{
    private const int Absent = -1;

    private readonly Lock _gate = new();
    private ushort[] _ids = new ushort[4];
    private PendingTry[] _pending = new PendingTry[4];
    private int _count;

    internal Upstream Upstream => upstream;

    protected abstract int MaxPending { get; }

    internal int PendingCount => Volatile.Read(ref _count);

    /// <summary>Sends a registered query; false if it cannot be sent.</summary>
    internal abstract bool TrySend(ReadOnlySpan<byte> query, out NetworkFault? fault);

    public abstract void Receive(ReadOnlySpan<byte> octets);

    public abstract void End();

    /// <summary>Registers a try under a random free ID; false at the maximum: the path is then released.</summary>
    internal bool TryRegister(in PendingTry pending, RandomOctets random, out ushort id)
    {
        id = random.NextUInt16();
        bool isWhileDown = Upstream.State == UpstreamState.Down && pending.Sink is not ServerBackoff;
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
            // Few of 65,536 IDs are in use, so this ends after one or two draws.
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

    /// <summary>Evicts and notifies a try, unless it has ended, or a client joined whose address is proven.</summary>
    internal void Evict(in PendingStreamTry candidate)
    {
        PendingTry removed;
        lock (_gate)
        {
            int at = Find(candidate.Id);
            if (at == Absent || _pending[at].SentAt != candidate.SentAt
                || _pending[at].Sink.Owner != candidate.Owner) return;
            removed = RemoveAt(at);
        }
        Release(in removed);
        removed.Sink.OnEvicted(in removed);
    }

    /// <summary>Copies the pending tries, as many as fit; returns their number.</summary>
    /// <param name="path">The index of this path.</param>
    protected int CopyTries(int path, Span<PendingStreamTry> tries)
    {
        lock (_gate)
        {
            int count = Math.Min(_count, tries.Length);
            for (int i = 0; i < count; i++)
            {
                ref readonly PendingTry pending = ref _pending[i];
                tries[i] = new(pending.Sink.Owner, pending.SentAt, path, _ids[i]);
            }
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

    /// <summary>Called without the lock when a try has released this path.</summary>
    protected virtual void OnReleased()
    {
    }

    /// <summary>Delivers a message to the try with its ID, else counts it as a guess at others.</summary>
    /// <returns>Whether there was such a try.</returns>
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

    /// <summary>Removes all tries, to notify them of the end of the path.</summary>
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
        if (PendingCount == 0 || message.Length < MessageHeader.LengthOctets) return;
        Unsafe.SkipInit(out LookupName name);
        // Only the ID of a bare error has to be guessed: it is a guess at every question.
        bool isBare = ReplyMatch.Compare(message, default) == ReplyMatch.Kind.BareError;
        if (!isBare && (MessageHeader.Count(message, 0) == 0
            || !name.TryRead(message, MessageHeader.LengthOctets, message.Length))) return;
        // From the last, since the last one takes the place of one that is removed.
        for (int i = PendingCount - 1; i >= 0; i--)
            if (TryGetAt(i, out PendingTry pending) && (isBare || pending.NameHash == name.Hash))
                pending.Sink.CountGuess(pending);
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
