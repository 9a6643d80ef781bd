namespace Dns.Transport.Tcp;

internal sealed partial class TcpConnection
{
    /// <summary>Sends immediate answers, then deferred ones. False if the client does not accept them.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> FlushAsync()
    {
        do
        {
            if (!TrySendNow()) return false;
            if (!_outgoing.Unsent.IsEmpty && !await SendRestAsync().ConfigureAwait(false)) return false;
            _outgoing.Close();
        }
        while (TakePending());
        return !_pending.IsOverrun;
    }

    /// <summary>Sends what the system accepts at once, usually all. False if the connection has failed.</summary>
    private bool TrySendNow()
    {
        while (!_outgoing.Unsent.IsEmpty)
        {
            int sent = Stream.TrySend(_outgoing.Unsent.Span);
            if (sent <= 0) return sent == 0;
            MarkSent(sent);
        }
        return true;
    }

    /// <summary>Sends the rest as the client accepts it. False if it does not, or memory is short.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> SendRestAsync()
    {
        Deadline = _listeners.After(_listeners.Limits.SendTimeout);
        if (!_outgoing.TryKeep()) return false;
        // A connection that waits for its client gives up its turn.
        if (Turn != TurnState.None) _listeners.Turns.Leave(this);
        _isSending = true;
        if (!_listeners.Table.TryMarkStalled(this, _listeners.Clock.GetTimestamp())) return false;
        while (!_outgoing.Unsent.IsEmpty)
        {
            int sent = await Stream.SendAsync(_outgoing.Unsent).ConfigureAwait(false);
            if (sent <= 0) return false;
            MarkSent(sent);
        }
        bool isListed = ConnectionTable.TryMarkBusy(this);
        _isSending = false;
        return isListed;
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
