using System.Net;
using Dns.Testing;
using Xunit;
using TestZones = Dns.Testing.ServedZones;

namespace Dns.Server.Tests.Forwarding;

public sealed class LateAnswerTests
{
    private const string ClientCookie = "2464C4ABCF10C957";

    private readonly VirtualClock _clock = new();
    private readonly Forwarder _forwarder;
    private readonly ForwardingAdapter _adapter;
    private readonly TestZones _served;

    public LateAnswerTests()
    {
        ForwardZone zone = new(DomainName.Root, [IPEndPoint.Parse("192.0.2.53:53")]);
        _forwarder =
            new(new() { Zones = [zone], AllowFrom = [IPNetwork.Parse("127.0.0.0/8")] }, _clock, new SilentNetwork());
        ResponderOptions options =
            new() { Cookies = new ServerCookies([new CookieSecret(new byte[16])], 1_700_000_000) };
        _served = new(options, new ForwardedZones(_forwarder));
        _adapter = new(new LiveResponder(_served.Responder), _forwarder, null, _clock);
    }

    [Theory]
    [InlineData(1900, false)]
    [InlineData(1901, true)]
    public void A_late_answer_is_not_sent_to_an_address_that_is_not_proven(int afterMs, bool isTooLate)
    {
        WaitingQuery waiting = Await(Query, DnsTransport.Udp);
        Assert.False(waiting.IsProven);
        _clock.Advance(afterMs);
        Assert.Equal(isTooLate, waiting.IsTooLate);
        if (isTooLate) waiting.Complete(new() { Rcode = Rcode.NXDomain }, [], []);
        Assert.Equal(isTooLate ? 1 : 0, _forwarder.Counters.Discarded);
    }

    [Theory]
    [InlineData(false, TransportKind.Tcp)]
    [InlineData(true, TransportKind.Udp)]
    public void A_late_answer_is_sent_to_an_address_that_is_proven(bool withCookie, TransportKind kind)
    {
        string cookie = withCookie ? ServerCookie() : ClientCookie;
        WaitingQuery waiting = Await(Query.WithOption(EdnsOptionCode.Cookie, cookie), new DnsTransport(kind));
        Assert.True(waiting.IsProven);
        _clock.Advance(4900);
        Assert.False(waiting.IsTooLate);
    }

    [Fact]
    public void A_cookie_of_the_client_alone_proves_nothing() =>
        Assert.False(Await(Query.WithOption(EdnsOptionCode.Cookie, ClientCookie), DnsTransport.Udp).IsProven);

    [Theory]
    [InlineData(ForwardResult.ClientLimit, ExtendedErrorCode.Prohibited, true)]
    [InlineData(ForwardResult.TableFull, ExtendedErrorCode.Other, true)]
    [InlineData(ForwardResult.Unreachable, ExtendedErrorCode.NoReachableAuthority, false)]
    [InlineData(ForwardResult.NotForwarded, ExtendedErrorCode.NotSupported, false)]
    [InlineData(ForwardResult.Loop, ExtendedErrorCode.Other, false)]
    public void What_a_client_gets_whose_question_cannot_be_forwarded(ForwardResult result, ExtendedErrorCode reason,
        bool wantsProof)
    {
        Assert.Equal(new(reason, wantsProof), ForwardingAdapter.RefusalOf(result, isProven: false));
        Assert.Equal(new(reason), ForwardingAdapter.RefusalOf(result, isProven: true));
    }

    [Theory]
    [InlineData(TransportKind.Udp, true)]
    [InlineData(TransportKind.Tcp, false)]
    public void A_query_whose_place_others_took_is_truncated_if_its_address_may_be_forged(
        TransportKind kind, bool isTruncated)
    {
        WaitingQuery waiting = Await(Query, new DnsTransport(kind));
        RelayedAnswer failure =
            new() { Rcode = Rcode.ServFail, Error = ExtendedErrorCode.NetworkError, WantsProof = true };
        DeferredQuery deferred = CapturedQuery.Of(_served.Responder, Query, new DnsTransport(kind), 0);
        CompletedSource source = new(_forwarder, waiting, failure, []);
        LookupName name = default;
        name.Set(DomainName.Parse("www.example").Octets);
        Question question = new(in name, RRType.A, RRClass.IN, 0);
        Assert.Equal(!isTruncated, source.TryCopy(question, true, new byte[512], out RelayedAnswer answer));
        Assert.Equal(Rcode.ServFail, answer.Rcode);
        Assert.False(source.TryDefer(question, in deferred, out DeferralRefusal refusal));
        Assert.Equal(isTruncated, refusal.WantsProof);
    }

    [Fact]
    public void A_name_behind_an_alias_has_no_more_time_than_the_query()
    {
        WaitingQuery waiting = Await(Query, DnsTransport.Udp);
        _clock.Advance(1000);
        LookupName target = default;
        target.Set(DomainName.Parse("target.example").Octets);
        RelayedAnswer alias = new() { EndsInAlias = true };
        Assert.True(waiting.TryFollowAlias(new(in target, RRType.A, RRClass.IN, 0), in alias, [], out _));
        _clock.Advance(760);
        Assert.Equal(0, _forwarder.Counters.TimedOut);
        _clock.Advance(40);
        Assert.Equal((1, 0), (_forwarder.Counters.TimedOut, _forwarder.Counters.Discarded));
    }

    /// <summary>A network from which no reply comes.</summary>
    private sealed class SilentNetwork : IOutgoingNetwork, IDatagramPath
    {
        public IPEndPoint Local { get; } = new(IPAddress.Loopback, 40000);

        public IDatagramPath OpenDatagrams(
            PeerAddress server, int localPort, IPathReceiver receiver, out NetworkFault? fault)
        {
            fault = null;
            return this;
        }

        public IByteStream MakeStream(PeerAddress server) => throw new NotSupportedException();

        public bool TrySend(ReadOnlySpan<byte> message, out NetworkFault? fault)
        {
            fault = null;
            return true;
        }

        public void Dispose()
        {
        }
    }

    private static QueryMessage Query =>
        QueryMessage.For("www.example") with { Flags = MessageHeader.RecursionDesired };

    private string ServerCookie() =>
        _served.Ask(QueryMessage.For("version.bind. TXT CH").WithOption(EdnsOptionCode.Cookie, ClientCookie))
        .Options.Single(option => option.StartsWith("Cookie", StringComparison.Ordinal))["Cookie ".Length..];

    private WaitingQuery Await(QueryMessage query, DnsTransport transport)
    {
        DeferredQuery deferred = CapturedQuery.Of(_served.Responder, query, transport, _clock.GetTimestamp());
        LookupName name = default;
        name.Set(DomainName.Parse("www.example").Octets);
        WaitingQuery waiting = new(_adapter);
        waiting.Prepare(in deferred, new Question(in name, RRType.A, RRClass.IN, 0), 0);
        return waiting;
    }
}
