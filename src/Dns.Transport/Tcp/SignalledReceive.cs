using System.Runtime.CompilerServices;

namespace Dns.Transport;

/// <summary>
/// A receive that sets a <see cref="Wake"/> instead of being awaited, for a loop that waits for something else
/// as well. Used by that loop alone; once started, no other may begin until <see cref="TryEnd"/>.
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

    /// <summary>Whether it was started and has not been ended.</summary>
    public bool IsPending { get; private set; }

    /// <summary>Receives into the room, which is the transport's until the end.</summary>
    public void Start(IStreamTransport stream, Memory<byte> room)
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

    /// <summary>Ends it when it has completed. False when there is nothing to end.</summary>
    /// <param name="octets">What the receive returned.</param>
    public bool TryEnd(out int octets)
    {
        octets = 0;

        // The flag and not the task says so: only after its callback may another receive begin.
        if (!IsPending || !_isDone)
        {
            return false;
        }

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
