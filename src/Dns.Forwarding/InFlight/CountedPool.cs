using Microsoft.Extensions.ObjectPool;

namespace Dns.Forwarding;

/// <summary>A pool that knows how many of its objects are out, so that a test, and an operator, can see that none is lost.</summary>
/// <param name="create">Makes an object when the pool is empty.</param>
/// <param name="retained">The most objects kept while nobody uses them.</param>
internal sealed class CountedPool<T>(Func<T> create, int retained)
    where T : class
{
    private readonly DefaultObjectPool<T> _pool = new(new Policy(create), retained);
    private int _rented;

    /// <summary>Objects that are out.</summary>
    internal int Rented => Volatile.Read(ref _rented);

    /// <summary>Takes an object.</summary>
    internal T Rent()
    {
        Interlocked.Increment(ref _rented);
        return _pool.Get();
    }

    /// <summary>Gives an object back, which nobody uses any more.</summary>
    internal void Return(T item)
    {
        Interlocked.Decrement(ref _rented);
        _pool.Return(item);
    }

    private sealed class Policy(Func<T> create) : PooledObjectPolicy<T>
    {
        public override T Create() => create();

        public override bool Return(T item) => true;
    }
}
