using System.Buffers;

namespace Dns.Transport.Tests;

/// <summary>
/// One message and its reply, for listeners that others host; <c>HostedListenerTests</c> run it in one.
/// </summary>
public sealed class MessageExchangeTests
{
    private readonly byte[] _room = new byte[ushort.MaxValue];
    private readonly PathKeeper _keeper = new();
    private readonly TcpListeners _connections = new(
        new TcpLimits { MaxSequences = 1 }, TimeProvider.System, ArrayPool<byte>.Shared);

    private readonly MessageExchange _exchange;

    public MessageExchangeTests() => _exchange = Make(_keeper);

    private MessageExchange Make(IMessageResponder responder) =>
        new(responder, new(new TransportOptions(), UdpListenerKind.Portable, _connections));

    private Task<int> Respond() => Respond(_exchange);

    private Task<int> Respond(MessageExchange exchange) =>
        exchange.RespondAsync(_room, 12, new QueryOrigin(default, DnsTransport.Https, now: 0)).AsTask();

    [Fact]
    public async Task A_reply_to_an_earlier_message_is_discarded()
    {
        Task<int> first = Respond();
        ReplyPath old = _keeper.Path;
        Assert.False(first.IsCompleted);
        _exchange.Cancel();
        Assert.Equal(0, await first.WaitAsync(TimeSpan.FromMinutes(1)));
        Task<int> second = Respond();
        old.Send([1]);
        old.Abandon();
        Assert.False(old.TryStream(new NeverPulled()));
        Assert.False(second.IsCompleted);
        _keeper.Path.Send([9, 9]);
        Assert.Equal(2, await second.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal([9, 9], _room[..2]);
        Assert.Equal(0, await _exchange.NextAsync(_room));
    }

    [Fact]
    public async Task A_path_that_is_abandoned_is_no_reply()
    {
        Task<int> reply = Respond();
        _keeper.Path.Abandon();
        Assert.Equal(0, await reply.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    [Fact]
    public async Task A_path_carries_the_client_and_the_transport_of_its_message()
    {
        Task<int> reply = Respond();
        Assert.Equal((DnsTransport.Https, (int)ushort.MaxValue), (_keeper.Path.Transport, _keeper.Path.RoomOctets));
        _keeper.Path.Abandon();
        await reply;
    }

    [Fact]
    public async Task Its_sequence_counts_for_the_limit_of_all_until_it_ends()
    {
        PathKeeper otherKeeper = new();
        MessageExchange other = Make(otherKeeper);
        Task<int> first = Respond(), second = Respond(other);
        Assert.True(_keeper.Path.TryStream(new OneMessage()));
        Assert.Equal(5, await first.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.False(otherKeeper.Path.TryStream(new NeverPulled()));
        Assert.False(second.IsCompleted);
        Assert.Equal((1, 1), (_connections.Turns.Running, (int)_connections.Turns.Refused));
        Assert.Equal(0, await _exchange.NextAsync(_room));
        Assert.Equal(0, _connections.Turns.Running);
        Assert.True(otherKeeper.Path.TryStream(new OneMessage()));
        Assert.Equal(5, await second.WaitAsync(TimeSpan.FromMinutes(1)));
        // Its client has gone.
        other.Reset();
        Assert.Equal(0, _connections.Turns.Running);
    }

    private sealed class OneMessage : IReplySequence
    {
        private bool _isWritten;

        public SequenceStep WriteNext(Span<byte> room, out int octets)
        {
            octets = _isWritten ? 0 : 5;
            SequenceStep step = _isWritten ? SequenceStep.Ended : SequenceStep.Written;
            _isWritten = true;
            return step;
        }

        public void Dispose()
        {
        }
    }

    private sealed class NeverPulled : IReplySequence
    {
        public SequenceStep WriteNext(Span<byte> room, out int octets) => throw new InvalidOperationException();

        public void Dispose() => throw new InvalidOperationException();
    }

    private sealed class PathKeeper : IMessageResponder
    {
        public ReplyPath Path { get; private set; }

        public void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths) =>
            throw new NotSupportedException();

        public int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths)
        {
            Path = paths.TakePath(0);
            return 0;
        }
    }
}
