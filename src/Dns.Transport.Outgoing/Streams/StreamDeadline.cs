namespace Dns.Transport.Outgoing;

/// <summary>Ends a stream when one of its steps takes too long. A step arms it, and disarms it when it is done.</summary>
internal sealed class StreamDeadline(IOutgoingStream stream, MonotonicClock clock, TimingWheel wheel) : WheelNode
{
    private volatile bool _hasPassed;

    /// <summary>Whether it ended the stream.</summary>
    public bool HasPassed => _hasPassed;

    /// <summary>Now, in ticks of the clock.</summary>
    public long Now => clock.Now;

    /// <summary>Begins to wait for a time of the clock.</summary>
    public void Arm(long due) => wheel.Arm(this, due);

    /// <summary>Stops to wait.</summary>
    public void Disarm() => wheel.Disarm(this);

    /// <inheritdoc/>
    public override void Fire(int generation)
    {
        _hasPassed = true;
        stream.Dispose();
    }
}
