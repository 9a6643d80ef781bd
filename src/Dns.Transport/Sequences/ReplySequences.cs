namespace Dns.Transport.Sequences;

/// <summary>Up to 4 sequences of one connection, round-robin. Any thread adds; its loop pulls and disposes.</summary>
internal sealed class ReplySequences
{
    public const int Most = 4;

    private readonly Lock _gate = new();
    private readonly RunningSequence?[] _running = new RunningSequence?[Most];
    private volatile int _count;
    private int _next;

    public int Count => _count;

    /// <summary>Whether a sequence can be pulled. For the loop.</summary>
    public bool HasReady => _count > 0 && FindReady() >= 0;

    /// <summary>Takes ownership of a sequence. False at the maximum.</summary>
    public bool TryAdd(RunningSequence sequence)
    {
        lock (_gate)
        {
            int free = Array.IndexOf(_running, null);
            if (free < 0) return false;
            Volatile.Write(ref _running[free], sequence);
            _count++;
            return true;
        }
    }

    /// <summary>Marks the sequence of a path as ready to be pulled, if it still runs.</summary>
    public void Wake(uint number)
    {
        lock (_gate)
        {
            foreach (RunningSequence? one in _running)
            {
                if (one?.Number == number) one.Wake();
            }
        }
    }

    /// <summary>The next sequence that can be pulled; null for none. For the loop.</summary>
    public RunningSequence? TakeNext()
    {
        int ready = FindReady();
        _next = ready + 1;
        return ready < 0 ? null : Volatile.Read(ref _running[ready]);
    }

    /// <summary>Makes <see cref="TakeNext"/> return the same sequence again. For the loop.</summary>
    public void Repeat() => _next--;

    /// <summary>Removes a sequence, which the caller disposes. For the loop.</summary>
    public void Remove(RunningSequence sequence)
    {
        lock (_gate)
        {
            _running[Array.IndexOf(_running, sequence)] = null;
            _count--;
        }
    }

    /// <summary>Removes any sequence, which the caller disposes; null for none. For the loop.</summary>
    public RunningSequence? TakeAny()
    {
        lock (_gate)
        {
            int any = Array.FindIndex(_running, static one => one is not null);
            RunningSequence? taken = any < 0 ? null : _running[any];
            if (taken is not null)
            {
                _running[any] = null;
                _count--;
            }
            return taken;
        }
    }

    private int FindReady()
    {
        for (int i = 0; i < Most; i++)
        {
            int index = (_next + i) & (Most - 1);
            if (Volatile.Read(ref _running[index]) is { IsReady: true }) return index;
        }
        return -1;
    }
}
