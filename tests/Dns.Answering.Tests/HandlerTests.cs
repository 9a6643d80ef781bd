using System.Buffers.Binary;
using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

public class HandlerTests
{
    private const ushort Notify = 4 << 11;

    /// <summary>Answers with a code, or takes the path.</summary>
    private sealed class Handler(Rcode? rcode) : IMessageHandler
    {
        internal List<string> Seen { get; } = [];

        public ReplyOutcome Respond(scoped in HandledMessage message)
        {
            QueryOrigin origin = message.Origin;
            Seen.Add($"{message.QueryOctets} {origin.Client} {origin.Transport} {origin.Now}");
            if (rcode is { } code) return message.WriteCode(code);
            message.TakePath().Abandon();
            return ReplyOutcome.Deferred;
        }
    }

    /// <summary>Paths that count how often they were taken.</summary>
    private sealed class Paths : IReplyPaths
    {
        internal List<int> Taken { get; } = [];

        public ReplyPath TakePath(int slot)
        {
            Taken.Add(slot);
            return default;
        }
    }

    private static Responder With(MessageHandlers handlers)
    {
        ServedZones zones = new();
        return new Responder(zones.Published, new ResponderOptions()) { Handlers = handlers };
    }

    private static ReplyOutcome Ask(Responder responder, byte[] octets, byte[] room, IReplyPaths? paths = null)
    {
        octets.CopyTo(room, 0);
        QueryOrigin origin = new(ClientAddress.From(IPEndPoint.Parse("192.0.2.1:53")), DnsTransport.Tcp, now: 7);
        return responder.Respond(room, octets.Length, ref origin, paths);
    }

    [Theory]
    [InlineData(Rcode.NoError, 20)]
    [InlineData(Rcode.Refused, 3)]
    public void An_accepted_notify_is_answered_whatever_is_limited(Rcode rcode, int answered)
    {
        ResponderOptions options = new()
        {
            RateLimiter = new RateLimiter(new RateLimitOptions { Mode = RateLimitMode.On, ErrorsPerSecond = 3 }),
        };
        Responder responder = new(new ServedZones().Published, options)
        {
            Handlers = MessageHandlers.None.With(Opcode.Notify, new Handler(rcode)),
        };
        byte[] query = (QueryMessage.For("example.com SOA") with { Flags = Notify }).ToOctets(), room = new byte[512];
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.1:53000"));
        int replies = 0;
        for (int i = 0; i < 20; i++)
        {
            query.CopyTo(room, 0);
            QueryOrigin origin = new(client, DnsTransport.Udp, now: 7);
            if (responder.Respond(room, query.Length, ref origin) > 0) replies++;
        }
        Assert.Equal(answered, replies);
    }

    [Theory]
    [InlineData(7, false, 0)]
    [InlineData(13, false, 0)]
    [InlineData(17, false, 0)]
    [InlineData(19, false, 0)]
    [InlineData(37, false, 0)]
    [InlineData(19, true, 12)]
    [InlineData(53, false, 12)]
    public void Junk_of_a_service_that_answers_all_is_not_answered(ushort port, bool isTcp, int expected)
    {
        Responder responder = With(MessageHandlers.None.With(Opcode.Update, new Handler(Rcode.FormErr)));
        DnsTransport transport = isTcp ? DnsTransport.Tcp : DnsTransport.Udp;
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Parse("192.0.2.1"), port));
        foreach (ushort flags in (ushort[])[0, Notify, (int)Opcode.Update << 11])
        {
            byte[] room = new byte[512];
            BinaryPrimitives.WriteUInt16BigEndian(room.AsSpan(2), flags);
            room[4] = 77;
            QueryOrigin origin = new(client, transport, now: 7);
            Assert.Equal(expected, responder.Respond(room, 74, ref origin).Octets);
        }
        byte[] query = QueryMessage.For("example.com SOA").ToOctets(), answer = new byte[512];
        query.CopyTo(answer, 0);
        Assert.True(responder.Respond(answer, query.Length, transport, ref client) > 0);
    }

    [Fact]
    public void An_opcode_with_a_handler_is_answered_by_it()
    {
        Handler handler = new(Rcode.NoError);
        Responder responder = With(MessageHandlers.None.With(Opcode.Notify, handler));
        byte[] query = (QueryMessage.For("example.com SOA") with { Flags = Notify }).ToOctets(), room = new byte[512];
        Assert.Equal(12, Ask(responder, query, room).Octets);
        Assert.Equal(0x8000 | Notify, MessageHeader.Flags(room));
        Assert.Equal([$"{query.Length} 192.0.2.1:53 tcp 7"], handler.Seen);
    }

    [Fact]
    public void An_opcode_without_one_is_not_implemented()
    {
        byte[] query = (QueryMessage.For("example.com SOA") with { Flags = Notify }).ToOctets(), room = new byte[512];
        Ask(With(MessageHandlers.None), query, room);
        Assert.Equal(0x8000 | Notify | (int)Rcode.NotImp, MessageHeader.Flags(room));
    }

    [Fact]
    public void A_type_that_is_no_data_is_answered_by_its_handler()
    {
        Handler handler = new(Rcode.NotAuth);
        Responder responder = With(MessageHandlers.None.With(RRType.AXFR, handler));
        byte[] room = new byte[512];
        Ask(responder, QueryMessage.For("example.com AXFR").ToOctets(), room);
        Assert.Equal((int)Rcode.NotAuth, MessageHeader.Flags(room) & MessageHeader.RcodeMask);
        Assert.Single(handler.Seen);
        Ask(responder, QueryMessage.For("example.com IXFR").ToOctets(), room);
        Ask(responder, QueryMessage.For("example.com A").ToOctets(), room);
        Assert.Single(handler.Seen);
    }

    [Fact]
    public void A_handler_that_takes_the_path_answers_later()
    {
        Paths paths = new();
        Responder responder = With(MessageHandlers.None.With(RRType.AXFR, new Handler(null)));
        byte[] room = new byte[512];
        Assert.Equal(ReplyOutcome.Deferred,
            Ask(responder, QueryMessage.For("example.com AXFR").ToOctets(), room, paths));
        Assert.Equal([0], paths.Taken);
        Assert.Equal(1, responder.Counters.Read().Of(AnswerKind.Later));
    }

    [Fact]
    public void Each_message_of_a_batch_has_its_own_path()
    {
        Paths paths = new();
        Responder responder = With(MessageHandlers.None.With(Opcode.Update, new Handler(null)));
        byte[] update = (QueryMessage.For("example.com SOA") with { Flags = 5 << 11 }).ToOctets(),
            slots = new byte[2 * 512];
        update.CopyTo(slots, 0);
        update.CopyTo(slots, 512);
        int[] lengths = [update.Length, update.Length];
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.1:53"));
        responder.RespondToBatch(
            Batches.InRow(slots, 512, lengths, (ClientAddress[])[client, client], now: 0), paths);
        Assert.Equal([0, 1], paths.Taken);
        Assert.Equal([0, 0], lengths);
    }

    [Fact]
    public void Answers_or_responses_reach_no_handler()
    {
        Handler handler = new(Rcode.NoError);
        byte[] reply = (QueryMessage.For("example.com SOA") with { Flags = Notify | 0x8000 }).ToOctets();
        Responder responder = With(MessageHandlers.None.With(Opcode.Notify, handler));
        Assert.Equal(ReplyOutcome.None, Ask(responder, reply, new byte[512]));
        Assert.Empty(handler.Seen);
    }

    [Fact]
    public void An_opcode_or_type_has_one_handler_at_most()
    {
        MessageHandlers table = MessageHandlers.None.With(Opcode.Notify, new Handler(Rcode.NoError))
            .With(RRType.AXFR, new Handler(null));
        Assert.Throws<ArgumentException>(() => table.With(Opcode.Notify, new Handler(null)));
        Assert.Throws<ArgumentException>(() => table.With(Opcode.Query, new Handler(null)));
        Assert.Throws<ArgumentException>(() => table.With(RRType.AXFR, new Handler(null)));
        Assert.Throws<ArgumentException>(() => table.With(RRType.A, new Handler(null)));
    }

    [Fact]
    public void A_responder_with_other_options_keeps_its_handlers_and_one_apart_has_none()
    {
        Responder responder = With(MessageHandlers.None.With(Opcode.Notify, new Handler(Rcode.NoError)));
        Assert.Same(responder.Handlers, responder.With(new ResponderOptions()).Handlers);
        Assert.Same(MessageHandlers.None, responder.Apart().Handlers);
    }
}
