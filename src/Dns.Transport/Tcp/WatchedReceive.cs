using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace Dns.Transport;

/// <summary>
/// A receive that sets a <see cref="Wake"/> instead of being awaited, for a loop that waits for something else
/// as well. Used by that loop alone; once started, the operation is busy until <see cref="TryEnd"/>.
/// </summary>
internal sealed class WatchedReceive
{
    private readonly SocketOperation _operation;
    private readonly Wake _wake;
    private readonly Action _completed;
    private ConfiguredValueTaskAwaitable<SocketError>.ConfiguredValueTaskAwaiter _receive;
    private volatile bool _isDone;

    public WatchedReceive(SocketOperation operation, Wake wake)
    {
        _operation = operation;
        _wake = wake;
        _completed = Completed;
    }

    /// <summary>Whether it was started and has not been ended.</summary>
    public bool IsPending { get; private set; }

    /// <summary>Receives into the room, which is the kernel's until the end.</summary>
    public void Start(Socket socket, Memory<byte> room)
    {
        IsPending = true;
        _isDone = false;
        _receive = _operation.ReceiveAsync(socket, room).ConfigureAwait(false).GetAwaiter();
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
    public bool TryEnd(out SocketError error)
    {
        error = SocketError.Success;

        // The flag and not the operation says so: only after its callback may the operation be used again.
        if (!IsPending || !_isDone)
        {
            return false;
        }

        IsPending = false;
        error = _receive.GetResult();
        _receive = default;
        return true;
    }

    private void Completed()
    {
        _isDone = true;
        _wake.SetHere();
    }
}
