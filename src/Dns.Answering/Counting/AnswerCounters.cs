namespace Dns.Answering;

/// <summary>Counts answers: each thread in a tally of its own, added up when someone asks.</summary>
public sealed class AnswerCounters
{
    /// <summary>Threads that have a tally alone; beyond, two may share one and now and then lose a count.</summary>
    private const int Stripes = 128;

    private static int _threads;

    [ThreadStatic]
    private static int _stripe;

    private readonly AnswerTally?[] _tallies = new AnswerTally?[Stripes];

    /// <summary>The sum over all threads at about this moment.</summary>
    public AnswerTally Read()
    {
        AnswerTally sum = new();
        foreach (AnswerTally? tally in _tallies)
            if (tally is not null) sum.Add(tally);
        return sum;
    }

    /// <summary>The tally of the thread that asks.</summary>
    internal AnswerTally Current
    {
        get
        {
            int stripe = _stripe;
            return stripe > 0 && _tallies[stripe - 1] is { } tally ? tally : Assign();
        }
    }

    private AnswerTally Assign()
    {
        if (_stripe == 0) _stripe = 1 + (int)((uint)(Interlocked.Increment(ref _threads) - 1) % Stripes);
        ref AnswerTally? place = ref _tallies[_stripe - 1];
        AnswerTally made = new();
        return Interlocked.CompareExchange(ref place, made, null) ?? made;
    }
}
