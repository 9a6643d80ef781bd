namespace Dns.Telemetry;

/// <summary>
/// Sees answers as they go, on the thread that gives them: it copies what it wants and returns at once. Never throws or
/// waits.
/// </summary>
internal interface IAnswerObserver
{
    /// <summary>Sees one answer.</summary>
    /// <param name="answer">The message; the caller's again on return.</param>
    /// <param name="facts">How it went.</param>
    void OnAnswer(ReadOnlySpan<byte> answer, ref ClientAddress client, in AnswerFacts facts);
}

/// <summary>What is known of an answer beside its octets.</summary>
/// <param name="Source">Where it came from.</param>
/// <param name="Transport">How it went.</param>
/// <param name="Began">The timestamp at which the query had come.</param>
/// <param name="Ended">The timestamp at which the answer was ready.</param>
internal readonly record struct AnswerFacts(AnswerOrigin Source, DnsTransport Transport, long Began, long Ended);
