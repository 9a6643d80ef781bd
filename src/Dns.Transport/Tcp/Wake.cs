using System.Threading.Tasks.Sources;

namespace Dns.Transport.Tcp;

/// <summary>
/// An auto-reset event: one loop waits, any thread sets. A set without a waiter is remembered, and several count as
/// one, so the loop checks all its sources. Allocates nothing.
/// </summary>
internal sealed class Wake : IValueTaskSource, IThreadPoolWorkItem
{
    private const int Unset = 0;
    private const int IsSet = 1;
    private const int Awaited = 2;

    private ManualResetValueTaskSourceCore<bool> _source;
    private int _state;

    /// <summary>Completes at the next set, or at once after a remembered one.</summary>
    public ValueTask WaitAsync()
    {
        _source.Reset();
        if (Interlocked.CompareExchange(ref _state, Awaited, Unset) == Unset)
            return new ValueTask(this, _source.Version);
        Volatile.Write(ref _state, Unset);
        return default;
    }

    /// <summary>Sets it; the loop continues on this thread.</summary>
    public void SetHere()
    {
        if (TryRelease()) _source.SetResult(true);
    }

    /// <summary>Sets it; the loop continues on a pool thread.</summary>
    public void Set()
    {
        if (TryRelease()) ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    void IThreadPoolWorkItem.Execute() => _source.SetResult(true);

    private bool TryRelease()
    {
        if (Interlocked.Exchange(ref _state, IsSet) != Awaited) return false;
        // The loop has not continued yet, so it will see whatever this lost set announced.
        Volatile.Write(ref _state, Unset);
        return true;
    }

    void IValueTaskSource.GetResult(short token) => _source.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);
}
