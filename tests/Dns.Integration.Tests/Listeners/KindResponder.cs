using System.Globalization;
using System.Text;

namespace Dns.Integration.Tests.Listeners;

/// <summary>Replies as the first octet of a query says, in text that starts with it.</summary>
internal sealed class KindResponder : IMessageResponder
{
    public const byte Silent = 0, Immediate = 1, Deferred = 2, Sequence = 3, Broken = 4, Endless = 5;

    private static readonly string[] Words = ["first", "second", "third"];

    private int _disposed;
    private int _pulled;

    /// <summary>Sequences disposed.</summary>
    public int Disposed => Volatile.Read(ref _disposed);

    /// <summary>Messages pulled from sequences.</summary>
    public int Pulled => Volatile.Read(ref _pulled);

    public QueryOrigin LastOrigin { get; private set; }

    public static byte[] Query(byte kind) => [kind, .. new byte[11]];

    public void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths)
    {
        for (int i = 0; i < batch.Count; i++) batch.Lengths[i] = Write(batch.Slot(i), batch.Slot(i)[0], "now");
    }

    public int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths)
    {
        Assert.Equal(12, queryOctets);
        LastOrigin = origin;
        byte kind = message[0];
        if (kind == Silent) return 0;
        if (kind == Immediate) return Write(message, kind, "now");
        ReplyPath path = paths.TakePath(0);
        if (kind == Deferred)
        {
            _ = Task.Run(() =>
            {
                byte[] reply = new byte[20];
                path.Send(reply.AsSpan(0, Write(reply, kind, "later")));
            });
        }
        else
        {
            Assert.True(path.TryStream(new WordSequence(this, kind, path)));
        }
        return 0;
    }

    private static int Write(Span<byte> room, byte kind, string word) =>
        Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{kind}: {word}"), room);

    /// <summary>Waits before each message until it is woken.</summary>
    private sealed class WordSequence(KindResponder owner, byte kind, ReplyPath path) : IReplySequence
    {
        private int _next;
        private bool _isReady;

        public SequenceStep WriteNext(Span<byte> room, out int octets)
        {
            octets = 0;
            Interlocked.Increment(ref owner._pulled);
            if (kind != Endless && _next == Words.Length) return SequenceStep.Ended;
            if (kind == Broken && _next == 1) return SequenceStep.Failed;
            _isReady = !_isReady;
            if (_isReady)
            {
                if (kind != Endless || _next == 0) _ = Task.Run(path.Wake);
                return SequenceStep.Waiting;
            }
            octets = Write(room, kind, Words[_next++ % Words.Length]);
            return SequenceStep.Written;
        }

        public void Dispose() => Interlocked.Increment(ref owner._disposed);
    }
}
