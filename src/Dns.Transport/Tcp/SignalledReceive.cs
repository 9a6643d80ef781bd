namespace Dns.Transport.Tcp;

/// <summary>
/// A receive that sets a <see cref="Wake"/> instead of being awaited, for a loop that waits for several events. Used by
/// that loop alone; one at a time until <see cref="TryEnd"/>.
/// </summary>
internal sealed class SignalledReceive
{
    private readonly Wake _wake;
    private readonly Action _completed;
    private ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _receive;
    private volatile bool _isDone;

    public SignalledReceive(Wake wake)
    {
        _wake = wake;
        _completed = Completed;
    }

    /// <summary>Whether it was started and not ended.</summary>
    public bool IsPending { get; private set; }

    /// <summary>Receives into a buffer, which belongs to the transport until the end.</summary>
    public void Start(IByteStream stream, Memory<byte> room)
    {
        IsPending = true;
        _isDone = false;
        _receive = stream.ReceiveAsync(room).ConfigureAwait(false).GetAwaiter();
        if (_receive.IsCompleted)
        {
            _isDone = true;
            _wake.SetHere();
        }
        else
        {
            _receive.UnsafeOnCompleted(_completed);
        }
    }

    /// <summary>Ends a completed receive. False if there is none.</summary>
    public bool TryEnd(out int octets)
    {
        octets = 0;
        // Decided by the flag and not by the task: another receive may begin only after the callback.
        if (!IsPending || !_isDone) return false;
        IsPending = false;
        octets = _receive.GetResult();
        _receive = default;
        return true;
    }

    private void Completed()
    {
        _isDone = true;
        _wake.SetHere();
    }
}
