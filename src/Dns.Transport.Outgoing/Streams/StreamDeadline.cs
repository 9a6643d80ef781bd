namespace Dns.Transport.Outgoing.Streams;

/// <summary>Closes a stream when a step takes too long. A step arms it and disarms it when done.</summary>
internal sealed class StreamDeadline(IByteStream stream, MonotonicClock clock, TimingWheel wheel) : WheelNode
{
    private volatile bool _hasPassed;

    /// <summary>Whether it has closed the stream.</summary>
    public bool HasPassed => _hasPassed;

    /// <summary>Now, in ticks of the clock.</summary>
    public long Now => clock.Now;

    public void Arm(long due) => wheel.Arm(this, due);

    public void Disarm() => wheel.Disarm(this);

    public override void Fire(int generation)
    {
        _hasPassed = true;
        stream.Close();
    }
}
