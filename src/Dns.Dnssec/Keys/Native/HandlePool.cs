namespace Dns.Dnssec.Keys.Native;

/// <summary>Pooled handles, at most one for each processor. Rent and return neither lock nor allocate.</summary>
internal sealed class HandlePool<T> : IDisposable where T : SafeHandle
{
    private readonly T?[] _free = new T?[Environment.ProcessorCount];
    private volatile bool _isDisposed;

    /// <summary>Rents a free handle; null = the caller must create one.</summary>
    internal T? Rent()
    {
        int start = Thread.GetCurrentProcessorId() % _free.Length;
        for (int i = 0; i < _free.Length; i++)
        {
            ref T? slot = ref _free[(start + i) % _free.Length];
            if (slot is not null && Interlocked.Exchange(ref slot, null) is T handle) return handle;
        }
        return null;
    }

    internal void Return(T handle)
    {
        int start = Thread.GetCurrentProcessorId() % _free.Length;
        for (int i = 0; i < _free.Length && !_isDisposed; i++)
            if (Interlocked.CompareExchange(ref _free[(start + i) % _free.Length], handle, null) is null) return;
        handle.Dispose();
    }

    /// <summary>Frees idle handles at once, and rented ones on their return.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        for (int i = 0; i < _free.Length; i++) Interlocked.Exchange(ref _free[i], null)?.Dispose();
    }
}
