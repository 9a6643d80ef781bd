namespace Dns.Telemetry;

/// <summary>How an answer went, as far as its time depends on it.</summary>
internal enum AnswerOrigin : byte
{
    /// <summary>At once, over UDP.</summary>
    Datagram,

    /// <summary>At once, over TCP.</summary>
    Stream,

    /// <summary>When another server had answered.</summary>
    Forwarded,
}
