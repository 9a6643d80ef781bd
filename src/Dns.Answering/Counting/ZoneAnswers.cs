namespace Dns.Answering.Counting;

/// <summary>Counts of the answers of one zone, or of one group of names. A copy; monotonic.</summary>
/// <param name="Zone">The zone's name with its final dot; or <c>other</c> for zones without counters of their own,
/// <c>forwarded</c> for forwarded names, <c>none</c> for names in no zone and malformed messages.</param>
/// <param name="Counts">Counts by <see cref="Rcodes"/>, then of other RCODEs, then of queries without a reply.</param>
public sealed record ZoneAnswers(string Zone, IReadOnlyList<long> Counts)
{
    /// <summary>The RCODEs with a counter each.</summary>
    public static IReadOnlyList<Rcode> Rcodes { get; } =
        [Rcode.NoError, Rcode.FormErr, Rcode.ServFail, Rcode.NXDomain, Rcode.NotImp, Rcode.Refused];

    /// <summary>All queries, with and without a reply.</summary>
    public long Queries
    {
        get
        {
            long sum = 0;
            foreach (long count in Counts) sum += count;
            return sum;
        }
    }

    /// <summary>Answers with other RCODEs.</summary>
    public long OtherCodes => Counts[^2];
}
