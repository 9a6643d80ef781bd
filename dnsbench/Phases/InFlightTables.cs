using System.Collections.Concurrent;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>Phase 4: questions in flight: add, try to get, join, complete.</summary>
public class InFlightTables
{
    private readonly ConcurrentDictionary<KeyMaking.QuestionKey, object> _concurrent = new();
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
}
