namespace Dns.Transport.Outgoing.Streams;

/// <summary>The result of a step of a <see cref="StreamClient"/>. All but the first close the connection.</summary>
public enum StreamStatus
{
    /// <summary>Success.</summary>
    Done,

    /// <summary>The server has closed the stream between two messages.</summary>
    Ended,

    /// <summary>The connection failed, was disposed, or ended within a message.</summary>
    Failed,

    /// <summary>A timeout.</summary>
    TimedOut,

    /// <summary>A length prefix of zero, or a message above the limit.</summary>
    Malformed,
}
