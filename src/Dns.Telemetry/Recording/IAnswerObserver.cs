namespace Dns.Telemetry.Recording;

/// <summary>Sees answers on the sending thread: copies what it keeps, returns at once, never waits or throws.</summary>
public interface IAnswerObserver
{
    /// <summary>Sees one answer, whose octets are the caller's again on return.</summary>
    void OnAnswer(ReadOnlySpan<byte> answer, ref ClientAddress client, in AnswerFacts facts);
}

/// <summary>What is known of an answer beside its octets.</summary>
/// <param name="Began">The timestamp at which the query had come.</param>
/// <param name="Ended">The timestamp at which the answer was ready.</param>
public readonly record struct AnswerFacts(AnswerOrigin Source, DnsTransport Transport, long Began, long Ended);
