using Dns.Protocol;

namespace Dns.Answering;

/// <summary>What was answered of one zone, or of names of one kind. A copy; numbers only grow.</summary>
/// <param name="Zone">
/// The zone's name with its final dot; or <c>other</c> for zones that are not counted alone, <c>forwarded</c> for names that
/// others are asked for, <c>none</c> for names in no zone and for messages that could not be read.
/// </param>
/// <param name="Counts">Numbers in the order of <see cref="Rcodes"/>, then of all other codes, and at the end without an answer.</param>
public sealed record ZoneAnswers(string Zone, IReadOnlyList<long> Counts)
{
    /// <summary>The codes that are counted one by one.</summary>
    public static IReadOnlyList<Rcode> Rcodes { get; } =
        [Rcode.NoError, Rcode.FormErr, Rcode.ServFail, Rcode.NXDomain, Rcode.NotImp, Rcode.Refused];

    /// <summary>Queries, those without an answer included.</summary>
    public long Queries
    {
        get
        {
            long sum = 0;
            foreach (long count in Counts) sum += count;
            return sum;
        }
    }

    /// <summary>Answers with other codes.</summary>
    public long OtherCodes => Counts[^2];
}
