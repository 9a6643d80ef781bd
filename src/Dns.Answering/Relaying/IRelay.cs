using Dns.Protocol;

namespace Dns.Answering;

/// <summary>The names that others answer for, and the clients that may ask for them. Thread-safe; allocates nothing.</summary>
public interface IForwardedZones
{
    /// <summary>
    /// How many labels the longest forwarded zone has that holds the suffix of a name which leaves out its first
    /// <paramref name="skippedLabels"/> labels; -1 if there is none, 0 for the root.
    /// </summary>
    int ZoneLabels(scoped ref readonly LookupName name, int skippedLabels);

    /// <summary>Whether a client may ask for what is not served here (RA).</summary>
    bool MayRecurse(ref ClientAddress client);
}

/// <summary>
/// What is known of the answers of others, for the time of one call: from a cache, or from a reply that has just come.
/// </summary>
public interface IRelay
{
    /// <summary>The place of the query in its batch; 0 if it came alone.</summary>
    int Slot { set; }

    /// <summary>Copies an answer that is known, with TTLs as they are now.</summary>
    /// <param name="question">What is asked.</param>
    /// <param name="mayAsk">Whether the client wants others asked (RD): without, nothing is asked again for later either.</param>
    /// <param name="destination">Room for the records, which start at <see cref="Question.EndOffset"/> of their message.</param>
    /// <param name="answer">What was copied.</param>
    /// <returns>False if nothing is known.</returns>
    bool TryCopy(scoped Question question, bool mayAsk, Span<byte> destination, out RelayedAnswer answer);

    /// <summary>Has a question asked, and the query answered when the answer is there.</summary>
    /// <param name="question">What to ask: the query's question, or one that its aliases lead to.</param>
    /// <param name="query">What to keep of the query.</param>
    /// <param name="client">Who sent it.</param>
    /// <param name="reason">Why it cannot be asked.</param>
    /// <returns>False if it cannot.</returns>
    bool TryAwait(
        scoped Question question, scoped in AwaitedQuery query, ref ClientAddress client, out ExtendedErrorCode reason);
}

/// <summary>No one else is asked.</summary>
internal struct NoRelay : IRelay
{
    /// <inheritdoc/>
    public int Slot { set { } }

    /// <inheritdoc/>
    public readonly bool TryCopy(scoped Question question, bool mayAsk, Span<byte> destination, out RelayedAnswer answer)
    {
        answer = default;
        return false;
    }

    /// <inheritdoc/>
    public readonly bool TryAwait(
        scoped Question question, scoped in AwaitedQuery query, ref ClientAddress client, out ExtendedErrorCode reason)
    {
        reason = ExtendedErrorCode.NotSupported;
        return false;
    }
}
