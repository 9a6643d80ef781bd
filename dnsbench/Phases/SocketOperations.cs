using System.Net.Sockets;
using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.ObjectPool;

namespace Dns.Bench;

/// <summary>Phase 2: the operation object of a datagram: new, from a pool, owned by the worker.</summary>
public class SocketOperations
{
    private sealed class Policy : PooledObjectPolicy<SocketAsyncEventArgs>
    {
        public override SocketAsyncEventArgs Create() => new(unsafeSuppressExecutionContextFlow: true);

        public override bool Return(SocketAsyncEventArgs obj) => true;
    }

    private readonly byte[] _buffer = new byte[1232];
    private readonly ObjectPool<SocketAsyncEventArgs> _pool =
        new DefaultObjectPool<SocketAsyncEventArgs>(new Policy(), 64);
    private readonly SocketAsyncEventArgs _own = new(unsafeSuppressExecutionContextFlow: true);

    /// <summary>The worker's own, for its life.</summary>
    [Benchmark]
    public int LaneOwned()
    {
        _own.SetBuffer(_buffer, 0, 512);
        return _own.Count;
    }

    /// <summary>From an ObjectPool and back.</summary>
    [Benchmark]
    public int Pooled()
    {
        SocketAsyncEventArgs operation = _pool.Get();
        operation.SetBuffer(_buffer, 0, 512);
        int count = operation.Count;
        _pool.Return(operation);
        return count;
    }

    /// <summary>Baseline: a new one with its handler.</summary>
    [Benchmark(Baseline = true)]
    public int Fresh()
    {
        using SocketAsyncEventArgs operation = new();
        operation.Completed += Completed;
        operation.SetBuffer(_buffer, 0, 512);
        return operation.Count;
    }

    private void Completed(object? sender, SocketAsyncEventArgs e) => _buffer[0]++;
}
