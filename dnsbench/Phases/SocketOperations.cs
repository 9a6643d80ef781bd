using System.Net.Sockets;
using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.ObjectPool;

namespace Dns.Bench;

/// <summary>Phase 2: the operation object of a datagram: from a pool, owned by the worker.</summary>
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
    public int WorkerOwned()
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
}
