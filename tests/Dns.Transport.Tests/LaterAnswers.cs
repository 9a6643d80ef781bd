using System.Collections.Concurrent;

namespace Dns.Transport.Tests;

/// <summary>The queries that a responder has taken and the test answers, in the test's own time.</summary>
internal sealed class LaterAnswers
{
    private readonly BlockingCollection<(ReplyPath Path, ushort Id)> _taken = [];

    public LaterAnswers() => Responder = new TestResponder
    {
        IsLater = id => id >= FirstLater,
        Taken = (path, id) => _taken.Add((path, id)),
    };

    /// <summary>From this ID on queries are answered later.</summary>
    public const ushort FirstLater = 1000;

    public TestResponder Responder { get; }

    /// <summary>Waits for the next query that is to be answered later.</summary>
    public (ReplyPath Path, ushort Id) Next()
    {
        Assert.True(_taken.TryTake(out (ReplyPath Path, ushort Id) next, UdpRig.TimeoutMs));
        return next;
    }

    /// <summary>Waits for as many and returns them by their IDs.</summary>
    public Dictionary<ushort, ReplyPath> Next(int count) =>
        Enumerable.Range(0, count).Select(_ => Next()).ToDictionary(taken => taken.Id, taken => taken.Path);

    /// <summary>Answers of 12 octets: the ID and that it is an answer.</summary>
    public static byte[] AnswerTo(ushort id, int octets = 12) =>
        [(byte)(id >> 8), (byte)id, 0x80, .. new byte[octets - 3]];
}
