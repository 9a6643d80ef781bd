using System.Collections.Concurrent;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>Phase 4: questions in flight: add, try to get, join, complete.</summary>
public class InFlightTables
{
    private readonly ConcurrentDictionary<KeyMaking.QuestionKey, object> _concurrent = new();
    private readonly Dictionary<KeyMaking.QuestionKey, object> _plain = [];
    private readonly ReaderWriterLockSlim _lock = new();
    private readonly object _waiter = new();
    private readonly KeyMaking.QuestionKey _key = new(0x123456789, RRType.A, RRClass.IN);

    /// <summary>Questions that are in flight beside ours.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        for (int i = 0; i < 1000; i++)
        {
            KeyMaking.QuestionKey key = new((ulong)i * 0x9E3779B97F4A7C15, RRType.A, RRClass.IN);
            _concurrent[key] = _waiter;
            _plain[key] = _waiter;
        }
    }

    /// <summary>Add and complete; the dictionary makes its one node.</summary>
    [Benchmark]
    public bool AddAndComplete() => _concurrent.TryAdd(_key, _waiter) && _concurrent.TryRemove(_key, out _);

    /// <summary>A new question.</summary>
    [Benchmark]
    public bool TryGet() => _concurrent.TryGetValue(_key, out _);

    /// <summary>Join one that is in flight.</summary>
    [Benchmark]
    public object Join() => _concurrent.GetOrAdd(default, _waiter);

    /// <summary>Baseline: add and complete under a reader-writer lock.</summary>
    [Benchmark(Baseline = true)]
    public bool AddAndCompleteLocked()
    {
        _lock.EnterWriteLock();
        try
        {
            _plain[_key] = _waiter;
        }
        finally
        {
            _lock.ExitWriteLock();
        }
        _lock.EnterWriteLock();
        try
        {
            return _plain.Remove(_key);
        }
        finally
        {
            _lock.ExitWriteLock();
        }
    }

    /// <summary>Baseline: try to get under a reader-writer lock.</summary>
    [Benchmark]
    public bool TryGetLocked()
    {
        _lock.EnterReadLock();
        try
        {
            return _plain.ContainsKey(_key);
        }
        finally
        {
            _lock.ExitReadLock();
        }
    }
}
