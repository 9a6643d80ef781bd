namespace Dns.Providers;

/// <summary>
/// Reads zones side by side, on threads of its own: the thread pool is left to those who answer queries meanwhile. Several lists are
/// read in turns, an item of each; a zone that takes long has a thread more started in its place, so that no other waits for it.
/// </summary>
/// <remarks>Thread-safe. The threads end when nothing is left to read.</remarks>
public sealed class ZoneReaders
{
    /// <summary>A zone that takes longer does not count among those that are read at once.</summary>
    public static readonly TimeSpan LongAfter = TimeSpan.FromSeconds(1);

    /// <summary>The most zones that take long at once; the next ones are waited for.</summary>
    public const int MostLong = 16;

    private readonly Lock _lock = new();
    private readonly Queue<Batch> _waiting = [];
    private readonly List<Reader> _readers = [];
    private readonly TimeProvider _clock;
    private readonly int _threads;
    private ITimer? _timer;

    /// <summary>Has no threads yet.</summary>
    /// <param name="threads">How many zones are read at once, at least 1, those left out that take long.</param>
    /// <param name="clock">Says what takes long; null = the system's.</param>
    public ZoneReaders(int threads, TimeProvider? clock = null)
    {
        _threads = Math.Clamp(threads, 1, 1024);
        _clock = clock ?? TimeProvider.System;
    }

    /// <summary>Calls <paramref name="read"/> with each number below <paramref name="count"/>, in about this order.</summary>
    /// <param name="count">How many calls.</param>
    /// <param name="read">What reads. An exception other than for cancellation ends the list, and is that of the task.</param>
    /// <param name="cancellation">Ends the list early: what was not begun is left out.</param>
    /// <returns>Ends with the last call.</returns>
    public Task RunAsync(int count, Action<int> read, CancellationToken cancellation)
    {
        if (count == 0) return Task.CompletedTask;
        Batch batch = new(count, read, cancellation);
        lock (_lock)
        {
            _waiting.Enqueue(batch);
            Start();
        }
        return batch.Done.Task;
    }

    /// <summary>Starts as many readers as may be and are of use. Under the lock.</summary>
    private void Start()
    {
        foreach (Reader reader in _readers)
            if (_clock.GetElapsedTime(reader.Since) >= LongAfter) reader.IsLong = true;
        int wanted = (int)Math.Min(_threads, _waiting.Sum(batch => (long)batch.Left) + _readers.Count(reader => !reader.IsLong));
        // A reader that is busy comes back for more, but not if that takes long.
        while (_readers.Count(reader => !reader.IsLong) < wanted && _readers.Count < _threads + MostLong)
        {
            Reader reader = new() { Since = _clock.GetTimestamp() };
            _readers.Add(reader);
            new Thread(() => Run(reader)) { IsBackground = true, Name = "zone reader" }.Start();
        }
        if (_waiting.Count > 0) _timer ??= _clock.CreateTimer(_ => LookAgain(), null, LongAfter, LongAfter);
        else EndTimer();
    }

    private void Run(Reader reader)
    {
        while (TryTake(reader, out Batch? batch, out int index)) batch.Read(index);
    }

    private bool TryTake(
        Reader reader, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Batch? batch, out int index)
    {
        lock (_lock)
        {
            reader.IsLong = false;
            reader.Since = _clock.GetTimestamp();
            // Where it took long, another has come in its place.
            bool isTooMany = _readers.Count(one => !one.IsLong) > _threads;
            if (!isTooMany && _waiting.TryDequeue(out batch))
            {
                index = batch.Take(out bool hasMore);
                if (hasMore) _waiting.Enqueue(batch);
                else if (_waiting.Count == 0) EndTimer();
                return true;
            }
            (batch, index) = (null, 0);
            _readers.Remove(reader);
            return false;
        }
    }

    private void LookAgain()
    {
        lock (_lock) Start();
    }

    private void EndTimer()
    {
        _timer?.Dispose();
        _timer = null;
    }

    /// <summary>A thread, and since when it reads what it reads.</summary>
    private sealed class Reader
    {
        internal long Since { get; set; }

        internal bool IsLong { get; set; }
    }

    /// <summary>A list that is being read. What is next is taken under the lock of the readers.</summary>
    private sealed class Batch(int count, Action<int> read, CancellationToken cancellation)
    {
        private int _next, _ended;
        private Exception? _fault;

        internal TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal int Left => count - _next;

        internal int Take(out bool hasMore)
        {
            hasMore = _next + 1 < count;
            return _next++;
        }

        internal void Read(int index)
        {
            try
            {
                if (!cancellation.IsCancellationRequested && Volatile.Read(ref _fault) is null) read(index);
            }
            catch (OperationCanceledException)
            {
                // The server is stopping: nobody waits for the zone any more.
            }
            catch (Exception error)
            {
                Volatile.Write(ref _fault, error);
            }
            if (Interlocked.Increment(ref _ended) < count) return;
            if (_fault is { } fault) Done.TrySetException(fault);
            else Done.TrySetResult();
        }
    }
}
