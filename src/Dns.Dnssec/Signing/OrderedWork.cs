namespace Dns.Dnssec.Signing;

/// <summary>
/// Runs numbered work items on several threads, and passes the results to the caller's thread in order. At most a few
/// results are pending; their memory is reused.
/// </summary>
internal sealed class OrderedWork
{
    private const int WaitingPerThread = 4;

    private readonly object _lock = new();
    private readonly int _count;
    private readonly Func<Action<int, RecordBatch>> _makeWorker;
    private readonly RecordBatch?[] _done;
    private readonly Stack<RecordBatch> _spare = new();
    private readonly CancellationToken _cancellation;
    private Exception? _failure;
    private int _next;
    private int _taken;

    /// <param name="threads">Number of threads, at least 1.</param>
    /// <param name="makeWorker">Creates the function that does items, once for each thread.</param>
    /// <param name="cancellation">Checked before each item.</param>
    internal OrderedWork(int count, int threads, Func<Action<int, RecordBatch>> makeWorker,
        CancellationToken cancellation)
    {
        (_count, _makeWorker, _cancellation) = (count, makeWorker, cancellation);
        _done = new RecordBatch?[threads * WaitingPerThread];
    }

    /// <summary>Runs all items.</summary>
    /// <param name="take">Receives a result, which is reused afterwards.</param>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    internal void Run(Action<RecordBatch> take)
    {
        int threads = Math.Min(_done.Length / WaitingPerThread, Math.Max(1, _count));
        Thread[] workers = new Thread[threads];
        for (int i = 0; i < threads; i++)
        {
            workers[i] = new Thread(Work) { IsBackground = true, Name = "dnssec signing" };
            workers[i].Start();
        }
        try
        {
            for (int i = 0; i < _count && WaitFor(i) is { } batch; i++)
            {
                take(batch);
                Release(batch);
            }
        }
        finally
        {
            // Started items are finished; no more are started.
            lock (_lock)
            {
                _next = _count;
                Monitor.PulseAll(_lock);
            }
            foreach (Thread worker in workers) worker.Join();
        }
        _cancellation.ThrowIfCancellationRequested();
        if (_failure is { } failure) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);
    }

    private void Work()
    {
        try
        {
            Action<int, RecordBatch> work = _makeWorker();
            while (TryBegin(out int number, out RecordBatch? batch))
            {
                work(number, batch);
                lock (_lock)
                {
                    _done[number % _done.Length] = batch;
                    Monitor.PulseAll(_lock);
                }
            }
        }
        catch (Exception failure)
        {
            lock (_lock)
            {
                _failure ??= failure;
                _next = _count;
                Monitor.PulseAll(_lock);
            }
        }
    }

    private bool TryBegin(out int number, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out RecordBatch? batch)
    {
        lock (_lock)
        {
            while (_next < _count && _next >= _taken + _done.Length) Monitor.Wait(_lock);
            (number, batch) = (_next, null);
            if (_next >= _count || _cancellation.IsCancellationRequested) return false;
            _next++;
            batch = _spare.TryPop(out RecordBatch? spare) ? spare : new RecordBatch();
            return true;
        }
    }

    private RecordBatch? WaitFor(int number)
    {
        lock (_lock)
        {
            RecordBatch? batch;
            while ((batch = _done[number % _done.Length]) is null)
            {
                if (_failure is not null || _cancellation.IsCancellationRequested) return null;
                Monitor.Wait(_lock, TimeSpan.FromSeconds(1));
            }
            return batch;
        }
    }

    private void Release(RecordBatch batch)
    {
        batch.Clear();
        lock (_lock)
        {
            _done[_taken++ % _done.Length] = null;
            _spare.Push(batch);
            Monitor.PulseAll(_lock);
        }
    }
}
