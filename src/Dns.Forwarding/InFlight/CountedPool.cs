using Microsoft.Extensions.ObjectPool;

namespace Dns.Forwarding.InFlight;

/// <summary>A pool that counts rented objects, so that leaks are visible in tests and counters.</summary>
/// <param name="retained">The maximum number of idle objects.</param>
internal sealed class CountedPool<T>(Func<T> create, int retained)
    where T : class
{
    private readonly DefaultObjectPool<T> _pool = new(new Policy(create), retained);
    private int _rented;

    internal int Rented => Volatile.Read(ref _rented);

    internal T Rent()
    {
        Interlocked.Increment(ref _rented);
        return _pool.Get();
    }

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
