namespace Dns.Transport.Outgoing;

/// <summary>An object with a timer in a <see cref="TimingWheel"/>, which alone accesses the links.</summary>
public abstract class WheelNode
{
    private int _generation;

    internal WheelNode? Next;
    internal WheelNode? Previous;

    /// <summary>The tick of the wheel at which it is due.</summary>
    internal long DueTick;

    /// <summary>Whether it is in the wheel.</summary>
    internal bool IsArmed;

    /// <summary>
    /// The generation of a pooled object, incremented on reuse; changes only while disarmed, or where a late call does
    /// no harm.
    /// </summary>
    public ref int Generation => ref _generation;

    /// <summary>Called when due, without a lock, disarmed.</summary>
    /// <param name="generation">The generation at arming; the object may have been reused since.</param>
    public abstract void Fire(int generation);
}
