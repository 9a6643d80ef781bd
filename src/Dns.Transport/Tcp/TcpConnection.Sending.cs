using System.Runtime.CompilerServices;

namespace Dns.Transport;

/// <content>How answers leave.</content>
internal sealed partial class TcpConnection
{
    /// <summary>Sends what was answered, and then what came later. False when the client does not take it.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> FlushAsync()
    {
        do
        {
            if (!TrySendNow())
            {
                return false;
            }

            if (!_outgoing.Unsent.IsEmpty && !await SendRestAsync().ConfigureAwait(false))
            {
                return false;
            }

            _outgoing.Close();
        }
        while (TakePending());

        return !_pending.IsOverrun;
    }

    /// <summary>Sends what the system takes at once, which nearly always is all. False when the connection has failed.</summary>
    private bool TrySendNow()
    {
        while (!_outgoing.Unsent.IsEmpty)
        {
            int sent = Stream.TrySend(_outgoing.Unsent.Span);
            if (sent <= 0)
            {
                return sent == 0;
            }

            MarkSent(sent);
        }

        return true;
    }

    /// <summary>Sends the rest as the client takes it. False when it does not, or memory is short.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> SendRestAsync()
    {
        Deadline = _listeners.After(_listeners.Limits.SendTimeout);
        if (!_outgoing.TryKeep())
        {
            return false;
        }

        // Whoever has to wait for its client holds up no other sequence.
        if (Turn != TurnState.None)
        {
            _listeners.Turns.Leave(this);
        }

        _isSending = true;

        while (!_outgoing.Unsent.IsEmpty)
        {
            int sent = await Stream.SendAsync(_outgoing.Unsent).ConfigureAwait(false);
            if (sent <= 0)
            {
                return false;
            }

            MarkSent(sent);
        }

        _isSending = false;
        return true;
    }

    private void MarkSent(int octets)
    {
        _outgoing.MarkSent(octets);
        Volatile.Write(ref _sentOctets, _sentOctets + octets);
    }

    private bool TakePending()
    {
        int frames = _pending.HasWaiting ? _pending.MoveTo(_outgoing) : 0;
        _sent += frames;
        return frames > 0;
    }
}
