using System.Collections.Concurrent;

namespace Dns.Testing;

/// <summary>What loops reported, for a test to look at. Thread-safe.</summary>
public sealed class ReportedExceptions : IExceptionSink
{
    private readonly ConcurrentQueue<(string Loop, Exception Exception, byte[] Message)> _all = new();

    /// <summary>Everything, in order.</summary>
    public IReadOnlyList<(string Loop, Exception Exception, byte[] Message)> All => [.. _all];

    /// <inheritdoc/>
    public void Report(string loop, Exception exception, ReadOnlySpan<byte> message) =>
        _all.Enqueue((loop, exception, message.ToArray()));
}
