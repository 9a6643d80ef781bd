namespace Dns.Transport.Sequences;

/// <summary>A sequence that a connection owns.</summary>
internal sealed class RunningSequence(IReplySequence sequence, uint number)
{
    private volatile bool _isWoken;
    private bool _isWaiting;

    /// <summary>The number of its path.</summary>
    public uint Number => number;

    /// <summary>Whether it can be pulled. For the loop.</summary>
    public bool IsReady => !_isWaiting || _isWoken;

    /// <summary>Marks it as ready again; from any thread.</summary>
    public void Wake() => _isWoken = true;

    public SequenceStep WriteNext(Span<byte> room, out int octets)
    {
        // Cleared before the pull, so that a concurrent wake causes another pull.
        _isWoken = false;
        SequenceStep step = sequence.WriteNext(room, out octets);
        _isWaiting = step == SequenceStep.Waiting;
        return step;
    }

    /// <summary>Disposes the sequence. Once.</summary>
    public void Dispose() => sequence.Dispose();
}
