namespace Dns.Protocol;

/// <summary>
/// Where a loop reports an exception that it did not expect: a defect, or the system out of memory. The loop then goes on.
/// Implementations count and log; they never throw and may be called by any thread.
/// </summary>
public interface IExceptionSink
{
    /// <summary>Discards what is reported: for programs without a log or metrics.</summary>
    static IExceptionSink None { get; } = new Discarding();

    /// <summary>Reports an exception.</summary>
    /// <param name="loop">The loop that goes on.</param>
    /// <param name="exception">What was caught.</param>
    /// <param name="message">The octets of the message that was handled; empty if there was none. Valid during the call only.</param>
    void Report(ServerLoop loop, Exception exception, ReadOnlySpan<byte> message);

    private sealed class Discarding : IExceptionSink
    {
        void IExceptionSink.Report(ServerLoop loop, Exception exception, ReadOnlySpan<byte> message)
        {
        }
    }
}
