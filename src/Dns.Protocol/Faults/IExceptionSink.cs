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
    /// <param name="loop">The loop or timer, by its label in metrics: <c>udp_receive</c>.</param>
    /// <param name="message">The message being handled; empty if there was none. Valid during the call only.</param>
    void Report(string loop, Exception exception, ReadOnlySpan<byte> message);

    private sealed class Discarding : IExceptionSink
    {
        void IExceptionSink.Report(string loop, Exception exception, ReadOnlySpan<byte> message)
        {
        }
    }
}
