using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

/// <summary>Queries signed with TSIG (RFC 8945), and the signatures of their replies.</summary>
public sealed class SignedQueryTests
{
    private const long Now = 1_800_000_000;
    private const string Zone = "@ 60 SOA ns h 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2.1\nbig 60 TXT " + Long;
    private const string Long =
        "( \"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\" "
        + "\"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\" "
        + "\"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\" "
        + "\"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\" )";

    private static readonly TsigKey Key = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, new byte[32]);
    private readonly ServedZones _served = new(
        new ResponderOptions { Keys = new TsigKeyRing([Key]), UnixSeconds = () => Now, Identity = "one" },
        ("z.test", Zone));

    [Theory, Trait("RFC", "8945 §5.3")]
    [InlineData("ns.z.test A", "NOERROR aa")]
    [InlineData("none.z.test A", "NXDOMAIN aa")]
    [InlineData("other.test A", "REFUSED")]
    [InlineData("id.server TXT CH", "NOERROR aa")]
    public void The_reply_to_a_signed_query_is_signed(string question, string header)
    {
        Reply reply = Ask(QueryMessage.For(question), Key, Now, out TsigChain client);
        Assert.Equal(header, reply.Header);
        Assert.Equal(TsigVerdict.Good, client.Next(reply.Octets, Now, out _, out Rcode error));
        Assert.Equal(Rcode.NoError, error);
    }

    [Fact]
    public void The_signature_stands_behind_opt()
    {
        Reply reply = Ask(QueryMessage.For("ns.z.test A").WithEdns(), Key, Now, out TsigChain client);
        Assert.NotNull(reply.Opt);
        Assert.Equal(TsigVerdict.Good, client.Next(reply.Octets, Now, out _, out _));
    }

    [Fact]
    public void What_does_not_fit_beside_the_signature_is_truncated()
    {
        Reply reply = Ask(QueryMessage.For("big.z.test TXT"), Key, Now, out TsigChain client);
        Assert.Equal("NOERROR aa tc", reply.Header);
        Assert.Equal(TsigVerdict.Good, client.Next(reply.Octets, Now, out _, out _));
        Assert.Equal("NOERROR aa", _served.Ask("big.z.test TXT").Header);
    }

    [Theory, Trait("RFC", "8945 §5.2")]
    [InlineData("k2.", 32, 17)]
    [InlineData("k1.", 31, 16)]
    public void A_wrong_key_or_code_is_refused_without_a_code(string name, int secretOctets, int error)
    {
        TsigKey wrong =
            new(DomainName.Parse(name), Key.Algorithm, new byte[secretOctets].Select(_ => (byte)7).ToArray());
        Reply reply = Ask(QueryMessage.For("ns.z.test A"), wrong, Now, out _);
        Assert.Equal("NOTAUTH", reply.Header);
        Assert.Equal(TsigPresence.Present, TsigRecord.Find(reply.Octets, out TsigRecord record));
        Assert.Equal(((Rcode)error, 0), (record.Error, record.Mac.Length));
    }

    [Fact, Trait("RFC", "8945 §5.2.3")]
    public void A_query_that_is_too_old_is_told_the_time_and_signed()
    {
        Reply reply = Ask(QueryMessage.For("ns.z.test A"), Key, Now - 301, out TsigChain client);
        Assert.Equal("NOTAUTH", reply.Header);
        Assert.Empty(reply.Answer);
        Assert.Equal(TsigVerdict.Good, client.Next(reply.Octets, Now - 301, out _, out Rcode error));
        Assert.Equal(Rcode.BadTime, error);
    }

    [Fact]
    public void Octets_behind_a_signature_are_ignored()
    {
        byte[] query = [.. Signed(QueryMessage.For("ns.z.test A"), Key, Now, out TsigChain client), 1, 2];
        Reply reply = _served.Ask(query);
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(TsigVerdict.Good, client.Next(reply.Octets, Now, out _, out _));
    }

    [Fact]
    public void A_long_name_leaves_no_room_for_a_signature_and_is_truncated()
    {
        string label = new('x', 60);
        TsigKey longKey = new(DomainName.Parse($"{label}.{label}.{label}"), TsigAlgorithm.HmacSha512, new byte[64]);
        ServedZones served = new(
            new ResponderOptions { Keys = new TsigKeyRing([longKey]), UnixSeconds = () => Now }, ("z.test", Zone));
        byte[] query = Signed(QueryMessage.For($"{label}.{label}.{label}.{label[..50]}.z.test A"), longKey, Now, out _);
        Assert.Equal("NOERROR tc", served.Ask(query).Header);
        Assert.Equal("NXDOMAIN aa", served.TryAsk(query, DnsTransport.Tcp)!.Header);
    }

    [Theory]
    [InlineData("x.corp.z.test A", "REFUSED")]
    [InlineData("far.example A", "REFUSED")]
    [InlineData("ns.z.test A", "NOERROR aa")]
    public void A_signed_query_is_for_the_zones_here_and_not_for_others(string question, string header)
    {
        ScriptedRelay relay = new ScriptedRelay().Forward(".").Forward("corp.z.test.");
        Responder responder = new(
            _served.Published, new ResponderOptions { Keys = new TsigKeyRing([Key]), UnixSeconds = () => Now }, relay);
        byte[] room = new byte[1232];
        byte[] query = Signed(QueryMessage.For(question) with { Flags = MessageHeader.RecursionDesired }, Key, Now,
            out TsigChain client);
        query.CopyTo(room, 0);
        ClientAddress address = ClientAddress.From(new IPEndPoint(IPAddress.Loopback, 53000));
        QueryOrigin origin = new(in address, DnsTransport.Udp, 0);
        ScriptedRelay.Call source = new(relay);
        Reply reply = Reply.Read(room[..responder.Respond(room, query.Length, ref origin, relay, ref source).Octets]);
        Assert.Equal(header, reply.Header.Replace(" rd", ""));
        Assert.Equal(TsigVerdict.Good, client.Next(reply.Octets, Now, out _, out _));
        Assert.Empty(relay.Asked);
    }

    private Reply Ask(QueryMessage query, TsigKey key, long at, out TsigChain client) =>
        _served.Ask(Signed(query, key, at, out client));

    private static byte[] Signed(QueryMessage query, TsigKey key, long at, out TsigChain client)
    {
        byte[] room = new byte[1024];
        byte[] unsigned = query.ToOctets();
        unsigned.CopyTo(room, 0);
        int octets = unsigned.Length;
        client = TsigChain.Request(key, room, ref octets, at);
        return room[..octets];
    }
}
