using Dns.Protocol;

namespace Dns.Transport;

/// <summary>A sequence that a connection owns.</summary>
/// <param name="sequence">The messages.</param>
/// <param name="number">The number of its path.</param>
internal sealed class RunningSequence(IReplySequence sequence, uint number)
{
    private volatile bool _isWoken;
    private bool _isWaiting;

    /// <summary>The number of its path.</summary>
    public uint Number => number;

    /// <summary>Whether it may be pulled. For the loop.</summary>
    public bool IsReady => !_isWaiting || _isWoken;

    /// <summary>Says, from any thread, that it has something again.</summary>
    public void Wake() => _isWoken = true;

    /// <summary>Pulls.</summary>
    public SequenceStep WriteNext(Span<byte> room, out int octets)
    {
        // Before the pull: a wake beside it, or just before it waits, has it pulled again.
        _isWoken = false;
        SequenceStep step = sequence.WriteNext(room, out octets);
        _isWaiting = step == SequenceStep.Waiting;
        return step;
    }

    /// <summary>Disposes the sequence. Once.</summary>
    public void Dispose() => sequence.Dispose();
}
