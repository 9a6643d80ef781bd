using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Answers to NOTIFY: RCODEs, signatures, and malformed messages.</summary>
public sealed class IncomingNotifiesTests : IDisposable
{
    private static readonly TsigKey Key = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, new byte[32]);
    private static readonly TsigKey Other = new(DomainName.Parse("k2."), TsigAlgorithm.HmacSha256, new byte[32]);
    private static readonly IPEndPoint Primary = new(IPAddress.Parse("192.0.2.1"), 53);

    private readonly VirtualClock _clock = new();
    private readonly RecordingObserver _told = new();
    private readonly ZoneRegistry _registry = new(new PublishedZones());
    private readonly SecondarySource _source;
    private readonly IncomingNotifies _notifies;

    public IncomingNotifiesTests()
    {
        TsigKeyRing keys = new([Key, Other]);
        SimulatedNetwork network = new(_clock);
        _source = new SecondarySource(
            "the test", new SecondaryOptions { Keys = keys }, new NoZoneCopies(), network.Of(IPAddress.Loopback), _told,
            _clock, new Random(1), work => work());
        _source.UseAsync(
        [
            new SecondaryZoneOptions(DomainName.Parse("z.test"), [new PeerAddress(Primary)]),
            new SecondaryZoneOptions(DomainName.Parse("signed.test"), [new PeerAddress(Primary, Key.Name)]),
            new SecondaryZoneOptions(DomainName.Parse("closed.test"), [new PeerAddress(Primary)])
            {
                Policy = new ZonePolicy { AllowNotify = PeerList.Empty },
            },
        ], default);
        _source.StartAsync(_registry, null!, default);
        _notifies = new IncomingNotifies(_clock) { Keys = keys };
    }

    public void Dispose() => _source.Dispose();

    [Fact, Trait("RFC", "1996 §4.7")]
    public void A_primary_is_answered_with_its_id_and_question()
    {
        Reply reply = Ask(Notify("z.test"));
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(Opcode.Notify, MessageHeader.OpcodeOf(MessageHeader.Flags(reply.Octets)));
        Assert.NotEmpty(reply.Question);
        Assert.Equal(0x2A17, MessageHeader.Id(reply.Octets));
    }

    [Fact]
    public void Who_sends_OPT_gets_OPT() => Assert.NotNull(Ask(Notify("z.test").WithEdns()).Opt);

    [Fact, Trait("RFC", "8945 §5.3")]
    public void A_signed_notify_gets_a_signed_answer()
    {
        byte[] message = Signed(Notify("signed.test"), Key, out TsigChain chain);
        byte[] reply = Answer(message);
        Assert.Equal(TsigVerdict.Good, chain.Next(reply, Now, out _, out _));
        Assert.Equal(Rcode.NoError, (Rcode)(reply[3] & 15));
    }

    [Fact]
    public void A_primary_with_a_key_has_to_sign()
    {
        Assert.Equal("REFUSED", Ask(Notify("signed.test")).Header);
        byte[] reply = Answer(Signed(Notify("signed.test"), Other, out TsigChain chain));
        Assert.Equal(TsigVerdict.Good, chain.Next(reply, Now, out _, out _));
        Assert.Equal(Rcode.Refused, (Rcode)(reply[3] & 15));
        Assert.Single(_told.Lines);
    }

    [Fact]
    public void A_list_of_a_zone_is_in_place_of_its_primaries() =>
        Assert.Equal("REFUSED", Ask(Notify("closed.test")).Header);

    [Fact, Trait("RFC", "8945 §5.2")]
    public void A_signature_that_is_wrong_or_old_or_by_nobody_is_not_authorised()
    {
        byte[] bent = Signed(Notify("z.test"), Key, out _);
        bent[^12] ^= 1;
        Assert.Equal((Rcode.NotAuth, Rcode.BadVers), CodesOf(Answer(bent)));
        TsigKey stranger = new(DomainName.Parse("k9."), TsigAlgorithm.HmacSha256, new byte[32]);
        Assert.Equal((Rcode.NotAuth, Rcode.BadKey), CodesOf(Answer(Signed(Notify("z.test"), stranger, out _))));
        Assert.Equal((Rcode.NotAuth, Rcode.BadTime),
            CodesOf(Answer(Signed(Notify("z.test"), Key, out _, seconds: -4000))));
        Assert.Equal(0, _source.Counters.Notifies);
    }

    [Fact]
    public void A_wrong_signature_is_counted_and_told()
    {
        Assert.Equal((Rcode.NotAuth, Rcode.BadTime),
            CodesOf(Answer(Signed(Notify("z.test"), Key, out _, seconds: -4000))));
        Assert.Equal((0, 1), (_source.Counters.Notifies, _source.Counters.NotifiesRefused));
        Assert.Contains("notify z.test. 192.0.2.1:4000 its TSIG does not verify", Assert.Single(_told.Lines));
        Answer(Signed(Notify("z.test"), Key, out _, seconds: -4000));
        Assert.Equal(2, _source.Counters.NotifiesRefused);
        Assert.Single(_told.Lines);
    }

    [Fact]
    public void What_is_no_notify_is_malformed()
    {
        QueryMessage good = Notify("z.test");
        QueryMessage[] wrong =
        [
            good with { Question = [] },
            good with { Question = [.. good.Question, .. good.Question], Counts = [2, 0, 0, 0] },
            good with { Question = WireOctets.Question("z.test", RRType.A) },
            good with { Counts = [1, 1, 0, 0] },
        ];
        Assert.All(wrong, message => Assert.Equal("FORMERR", Ask(message).Header));
        Assert.Equal("NOERROR aa", Ask(good with { Tail = [1] }).Header);
        Assert.Equal("NOTAUTH",
            Ask(good with { Question = WireOctets.Question("z.test", RRType.SOA, RRClass.CH) }).Header);
    }

    [Fact, Trait("RFC", "1996 §3.6")]
    public void While_zones_may_be_missing_an_unknown_one_gets_no_reply_so_that_its_primary_repeats()
    {
        bool isMissing = true;
        _notifies.MayLackZones = name => isMissing && name.Equals(DomainName.Parse("other.test"));
        Assert.Empty(Answer(Notify("other.test").ToOctets()));
        Assert.Equal("NOERROR aa", Ask(Notify("z.test")).Header);
        Assert.Equal("REFUSED", Ask(Notify("closed.test")).Header);
        Assert.Equal("NOTAUTH",
            Ask(Notify("other.test") with { Question = WireOctets.Question("z.test", RRType.SOA, RRClass.CH) }).Header);
        Assert.Equal("NOTAUTH", Ask(Notify("another.test")).Header);
        isMissing = false;
        Assert.Equal("NOTAUTH", Ask(Notify("other.test")).Header);
    }

    [Fact]
    public void Octets_that_are_bent_never_break_it()
    {
        byte[] good = Signed(Notify("signed.test").WithEdns(), Key, out _);
        Random random = new(1);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] bent = [.. good[..random.Next(12, good.Length + 1)]];
            for (int n = random.Next(3); n > 0; n--) bent[random.Next(bent.Length)] = (byte)random.Next(256);
            Assert.InRange(Answer(bent).Length, 12, 512);
        }
    }

    [Fact]
    public void The_longest_names_leave_room_for_the_signature()
    {
        string label = new('k', 63);
        TsigKey longKey =
            new(DomainName.Parse($"{label}.{label}.{label}.{label[..60]}"), TsigAlgorithm.HmacSha512, new byte[64]);
        _notifies.Keys = new TsigKeyRing([longKey]);
        byte[] reply = Answer(Signed(Notify($"{label}.{label}.{label}.{label[..50]}"), longKey, out TsigChain chain));
        Assert.InRange(reply.Length, 12, 1232);
        Assert.Equal(TsigVerdict.Good, chain.Next(reply, Now, out _, out _));
    }

    private long Now => _clock.GetUtcNow().ToUnixTimeSeconds();

    private static QueryMessage Notify(string zone) => QueryMessage.For(zone + " SOA") with
    {
        Flags = (int)Opcode.Notify << 11 | MessageHeader.AuthoritativeAnswer,
    };

    private byte[] Signed(QueryMessage message, TsigKey key, out TsigChain chain, int seconds = 0)
    {
        byte[] octets = message.ToOctets(), room = [.. octets, .. new byte[600]];
        int length = octets.Length;
        chain = TsigChain.Request(key, room, ref length, Now + seconds);
        return room[..length];
    }

    private Reply Ask(QueryMessage message) => Reply.Read(Answer(message.ToOctets()));

    private byte[] Answer(byte[] message)
    {
        byte[] room = new byte[1232];
        message.CopyTo(room, 0);
        QueryOrigin origin = new(ClientAddress.From(new IPEndPoint(Primary.Address, 4000)), DnsTransport.Udp, 0);
        return room[.._notifies.Answer(room, message.Length, ref origin, _registry.Published.Current)];
    }

    private static (Rcode, Rcode) CodesOf(byte[] reply)
    {
        Assert.Equal(TsigPresence.Present, TsigRecord.Find(reply, out TsigRecord record));
        return ((Rcode)(reply[3] & 15), record.Error);
    }
}
