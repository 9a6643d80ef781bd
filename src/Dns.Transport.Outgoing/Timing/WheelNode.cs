namespace Dns.Transport.Outgoing.Timing;

/// <summary>An object with a timer in a <see cref="TimingWheel"/>, which alone accesses the links.</summary>
public abstract class WheelNode
{
    private int _generation;

    internal WheelNode? Next;
    internal WheelNode? Previous;

    internal long DueTick;

    internal bool IsArmed;

    /// <summary>Incremented when a pooled object is reused: while disarmed, or where a late call is harmless.</summary>
    public ref int Generation => ref _generation;

    /// <summary>Called when due, without a lock, disarmed.</summary>
    /// <param name="generation">The generation at arming; the object may have been reused since.</param>
    public abstract void Fire(int generation);
}
