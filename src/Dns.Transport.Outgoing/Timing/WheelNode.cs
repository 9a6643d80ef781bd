namespace Dns.Transport.Outgoing;

/// <summary>Something that wants to be called at a time; linked into a <see cref="TimingWheel"/>, which alone touches the links.</summary>
public abstract class WheelNode
{
    private int _generation;

    internal WheelNode? Next;
    internal WheelNode? Previous;

    /// <summary>The tick of the wheel it is due at.</summary>
    internal long DueTick;

    /// <summary>Whether it is in the wheel.</summary>
    internal bool IsArmed;

    /// <summary>
    /// Which of the lives of a pooled object it is; changes only while not armed, or where a late call does no harm.
    /// </summary>
    public ref int Generation => ref _generation;

    /// <summary>Called when it is due, without any lock, no longer armed.</summary>
    /// <param name="generation">The life that was armed: the object may live another one by now.</param>
    public abstract void Fire(int generation);
}
