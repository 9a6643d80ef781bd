namespace Dns.Protocol.Faults;

/// <summary>
/// Receives unexpected exceptions of a loop: an internal error, or lack of memory. The loop then continues.
/// Implementations count and log; they never throw and are thread-safe.
/// </summary>
public interface IExceptionSink
{
    /// <summary>Discards reports: for programs without a log or metrics.</summary>
    static IExceptionSink None { get; } = new Discarding();

    /// <summary>Reports an exception.</summary>
    /// <param name="message">The message being handled; empty if there was none. Valid during the call only.</param>
    void Report(ServerLoop loop, Exception exception, ReadOnlySpan<byte> message);

    private sealed class Discarding : IExceptionSink
    {
        void IExceptionSink.Report(ServerLoop loop, Exception exception, ReadOnlySpan<byte> message)
        {
        }
    }
}
