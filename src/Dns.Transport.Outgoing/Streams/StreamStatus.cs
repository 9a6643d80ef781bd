namespace Dns.Transport.Outgoing;

/// <summary>How a step of a <see cref="StreamClient"/> ended. All but the first end the connection.</summary>
public enum StreamStatus
{
    /// <summary>It was done.</summary>
    Done,

    /// <summary>The server has ended the stream, between two messages.</summary>
    Ended,

    /// <summary>The connection failed, or was closed by us; the stream ended in the middle of a message.</summary>
    Failed,

    /// <summary>It was not done in time.</summary>
    TimedOut,

    /// <summary>The server has sent a length of zero, or a message longer than allowed.</summary>
    Malformed,
}
