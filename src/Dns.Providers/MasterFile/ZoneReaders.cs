namespace Dns.Providers.MasterFile;

/// <summary>
/// Reads zones in parallel on dedicated threads; the thread pool is left to queries. Several lists are read
/// round-robin; a zone that takes long is replaced by an additional thread, so that others do not wait for it.
/// </summary>
/// <remarks>Thread-safe. The threads end when nothing is left to read.</remarks>
public sealed class ZoneReaders
{
    /// <summary>The time after which a zone no longer counts towards the number read in parallel.</summary>
    public static readonly TimeSpan LongAfter = TimeSpan.FromSeconds(1);

    /// <summary>The maximum number of such zones; beyond it, others wait.</summary>
    public const int MostLong = 16;

    private readonly Lock _lock = new();
    private readonly Queue<Batch> _waiting = [];
    private readonly List<Reader> _readers = [];
    private readonly TimeProvider _clock;
    private readonly int _threads;
    private ITimer? _timer;

    /// <summary>Creates readers; threads are started on demand.</summary>
    /// <param name="threads">The number of zones read in parallel, at least 1, without those that take long.</param>
    public ZoneReaders(int threads, TimeProvider? clock = null)
    {
        _threads = Math.Clamp(threads, 1, 1024);
        _clock = clock ?? TimeProvider.System;
    }

    /// <summary>Calls a function with each number below <paramref name="count"/>, in about this order.</summary>
    /// <param name="read">An exception other than for cancellation ends the list and fails the task.</param>
    /// <param name="cancellation">Cancels the list; calls not begun are skipped.</param>
    /// <returns>Completes with the last call.</returns>
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

    /// <summary>Starts as many readers as permitted and useful. Under the lock.</summary>
    private void Start()
    {
        foreach (Reader reader in _readers)
            if (_clock.GetElapsedTime(reader.Since) >= LongAfter) reader.IsLong = true;
        int wanted =
            (int)Math.Min(_threads, _waiting.Sum(batch => (long)batch.Left) + _readers.Count(reader => !reader.IsLong));
        // A busy reader takes more work later, but not if its zone takes long.
        while (_readers.Count(reader => !reader.IsLong) < wanted && _readers.Count < _threads + MostLong)
        {
            Reader reader = new() { Since = _clock.GetTimestamp() };
            _readers.Add(reader);
            new Thread(() => Run(reader)) { IsBackground = true, Name = "zone reader" }.Start();
        }
        if (_waiting.Count > 0) _timer ??= _clock.CreateTimer(_ => StartMissing(), null, LongAfter, LongAfter);
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
            // If it took long, another thread has replaced it.
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

    private void StartMissing()
    {
        lock (_lock) Start();
    }

    private void EndTimer()
    {
        _timer?.Dispose();
        _timer = null;
    }

    /// <summary>A thread, and when its current read began.</summary>
    private sealed class Reader
    {
        internal long Since { get; set; }

        internal bool IsLong { get; set; }
    }

    /// <summary>A list being read. The next item is taken under the lock of the readers.</summary>
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
                // The server is stopping: the zone is no longer needed.
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
