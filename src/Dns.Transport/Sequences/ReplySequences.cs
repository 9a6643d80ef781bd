using Dns.Protocol;

namespace Dns.Transport;

/// <summary>
/// The sequences of one connection, 4 at most, pulled in turn. They come from any thread; the connection's loop alone pulls
/// and disposes.
/// </summary>
internal sealed class ReplySequences
{
    /// <summary>The most of one connection.</summary>
    public const int Most = 4;

    private readonly Lock _gate = new();
    private readonly RunningSequence?[] _running = new RunningSequence?[Most];
    private volatile int _count;
    private int _next;

    /// <summary>How many there are.</summary>
    public int Count => _count;

    /// <summary>Whether one of them may be pulled. For the loop.</summary>
    public bool HasReady => _count > 0 && FindReady() >= 0;

    /// <summary>Takes one over. False when there are as many as may be.</summary>
    public bool TryAdd(RunningSequence sequence)
    {
        lock (_gate)
        {
            int free = Array.IndexOf(_running, null);
            if (free < 0)
            {
                return false;
            }

            Volatile.Write(ref _running[free], sequence);
            _count++;
            return true;
        }
    }

    /// <summary>Has the sequence of a path pulled again. Nothing when there is none.</summary>
    public void Wake(uint number)
    {
        lock (_gate)
        {
            foreach (RunningSequence? one in _running)
            {
                if (one?.Number == number)
                {
                    one.Wake();
                }
            }
        }
    }

    /// <summary>The next one that may be pulled; null when there is none. For the loop.</summary>
    public RunningSequence? TakeNext()
    {
        int ready = FindReady();
        _next = ready + 1;
        return ready < 0 ? null : Volatile.Read(ref _running[ready]);
    }

    /// <summary>Has the next one that is taken be this one again. For the loop.</summary>
    public void Repeat() => _next--;

    /// <summary>Takes one out, which the caller disposes. For the loop.</summary>
    public void Remove(RunningSequence sequence)
    {
        lock (_gate)
        {
            _running[Array.IndexOf(_running, sequence)] = null;
            _count--;
        }
    }

    /// <summary>Takes any one out, which the caller disposes; null when there is none. For the loop.</summary>
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
            int place = (_next + i) & (Most - 1);
            if (Volatile.Read(ref _running[place]) is { IsReady: true })
            {
                return place;
            }
        }

        return -1;
    }
}
