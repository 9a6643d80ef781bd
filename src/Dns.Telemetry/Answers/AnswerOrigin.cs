namespace Dns.Telemetry.Answers;

/// <summary>Where an answer came from, as far as its latency depends on it.</summary>
public enum AnswerOrigin : byte
{
    /// <summary>At once, over UDP.</summary>
    Datagram,

    /// <summary>At once, over TCP.</summary>
    Stream,

    /// <summary>When another server had answered.</summary>
    Forwarded,
}
