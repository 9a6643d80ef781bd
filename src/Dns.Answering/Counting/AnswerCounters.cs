namespace Dns.Answering;

/// <summary>Counts answers: each thread in a tally of its own, added up when someone asks.</summary>
public sealed class AnswerCounters
{
    private readonly AnswerTally?[] _tallies = new AnswerTally?[ThreadStripe.Count];

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
            int stripe = ThreadStripe.Current;
            return _tallies[stripe] is { } tally ? tally : Make(stripe);
        }
    }

    private AnswerTally Make(int stripe)
    {
        ref AnswerTally? place = ref _tallies[stripe];
        AnswerTally made = new();
        return Interlocked.CompareExchange(ref place, made, null) ?? made;
    }
}
