using System.Runtime.InteropServices;

namespace Dns.Dnssec;

/// <summary>
/// Handles that are good for one thread at a time, kept to be used again: at most one for each processor. Rents and returns take no
/// lock and allocate nothing.
/// </summary>
internal sealed class HandlePool<T> : IDisposable where T : SafeHandle
{
    private readonly T?[] _free = new T?[Environment.ProcessorCount];
    private volatile bool _isDisposed;

    /// <summary>A handle that is free, for the caller alone; null = one is to be made.</summary>
    internal T? Rent()
    {
        int start = Thread.GetCurrentProcessorId() % _free.Length;
        for (int i = 0; i < _free.Length; i++)
        {
            ref T? place = ref _free[(start + i) % _free.Length];
            if (place is not null && Interlocked.Exchange(ref place, null) is T handle) return handle;
        }
        return null;
    }

    /// <summary>Takes a handle back.</summary>
    internal void Return(T handle)
    {
        int start = Thread.GetCurrentProcessorId() % _free.Length;
        for (int i = 0; i < _free.Length && !_isDisposed; i++)
            if (Interlocked.CompareExchange(ref _free[(start + i) % _free.Length], handle, null) is null) return;
        handle.Dispose();
    }

    /// <summary>Frees the handles that are not rented; those that are, when they come back.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        for (int i = 0; i < _free.Length; i++) Interlocked.Exchange(ref _free[i], null)?.Dispose();
    }
}
