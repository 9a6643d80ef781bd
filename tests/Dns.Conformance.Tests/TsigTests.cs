using Dns.Testing;
using Xunit;
using static Dns.Conformance.Tests.Expectations;
using static Dns.Testing.ExampleZones;

namespace Dns.Conformance.Tests;

public class TsigTests
{
    private static readonly byte[] Mac = new byte[32];

    [Fact, Trait("RFC", "8945 5.2.1")]
    public void An_unknown_key_is_not_authorised_and_told_so_without_a_mac()
    {
        Reply reply = Served.Ask(Query("www A").With(WireOctets.Tsig("Some.Key", Mac)));
        reply.Says("NOTAUTH");
        Assert.Equal("Some.Key.", reply.Tsig!.Owner.ToString());
        Assert.Equal(RRClass.ANY, reply.Tsig.Class);
        // Algorithm, time and fudge as sent; MAC size 0, the original ID, error 17, no other data.
        byte[] expected = [.. WireOctets.Name("hmac-sha256"),
            .. WireOctets.Hex("00006543210F012C 0000 1234 0011 0000")];
        Assert.Equal(expected, reply.Tsig.Rdata);
    }

    [Fact, Trait("RFC", "8945 5.1")]
    public void The_answer_to_an_unknown_key_keeps_opt_in_front_of_tsig()
    {
        Reply reply = Served.Ask(Query("www A").WithEdns().With(WireOctets.Tsig("key", Mac)));
        Assert.Equal("NOTAUTH", reply.Header);
        Assert.NotNull(reply.Opt);
        Assert.NotNull(reply.Tsig);
    }

    [Fact, Trait("RFC", "8945 5.2.1")]
    public void A_key_that_does_not_fit_beside_the_question_leaves_the_question_with_tc_and_is_whole_over_a_stream()
    {
        string longest = $"{string.Join('.', Enumerable.Repeat(new string('n', 63), 3))}.{new string('n', 61)}";
        QueryMessage query = QueryMessage.For(longest).With(WireOctets.Tsig(longest, Mac));
        Reply cut = Served.Ask(query);
        Assert.Equal("NOTAUTH tc", cut.Header);
        Assert.Equal(WireOctets.Question(longest, RRType.A, RRClass.IN), cut.Question);
        Assert.Null(cut.Tsig);
        Reply whole = Served.AskOverTcp(query);
        Assert.Equal("NOTAUTH", whole.Header);
        Assert.Equal($"{longest}.", whole.Tsig!.Owner.ToString());
    }

    [Fact, Trait("RFC", "8945 5.2.1")]
    public void What_was_asked_for_on_top_gives_way_to_the_signature()
    {
        // The question and the record of the key leave room for the fixed part of OPT at 512 octets, and for nothing
        // else.
        string name = $"{string.Join('.', Enumerable.Repeat(new string('n', 63), 3))}.n";
        string key = $"{string.Join('.', Enumerable.Repeat(new string('k', 63), 3))}.{new string('k', 55)}";
        Reply reply = Served.Ask(QueryMessage.For(name)
            .WithEdns(512, false, WireOctets.Option(EdnsOptionCode.Expire, [])).With(WireOctets.Tsig(key, Mac)));
        Assert.Equal("NOTAUTH", reply.Header);
        Assert.NotNull(reply.Opt);
        Assert.NotNull(reply.Tsig);
        Assert.Empty(reply.Options);
        Assert.Equal(510, reply.Octets.Length);
    }

    [Theory, Trait("RFC", "8945 5.2.1")]
    [InlineData(57, "NOTAUTH")]
    [InlineData(58, "NOTAUTH tc")]
    public void A_key_is_sent_back_where_it_fits_beside_OPT(int label, string header)
    {
        string name = $"{string.Join('.', Enumerable.Repeat(new string('n', 63), 3))}.n";
        string key = $"{string.Join('.', Enumerable.Repeat(new string('k', 63), 3))}.{new string('k', label)}";
        Reply reply = Served.Ask(QueryMessage.For(name).WithEdns(512).With(WireOctets.Tsig(key, Mac)));
        Assert.Equal(header, reply.Header);
        Assert.Equal(header == "NOTAUTH", reply.Tsig is not null);
        Assert.True(reply.Octets.Length <= 512, $"{reply.Octets.Length} octets");
        if (reply.Tsig is not null) Assert.Equal(512, reply.Octets.Length);
    }

    [Fact, Trait("RFC", "8945 5.1")]
    public void A_signature_that_is_not_last_is_malformed()
    {
        Served.Ask(Query("www A").With(WireOctets.Tsig("key", Mac)).WithEdns()).IsHeaderOnly("FORMERR");
        Served.Ask(Query("www A").With(WireOctets.Tsig("key", Mac)).With(WireOctets.Tsig("key", Mac)))
            .IsHeaderOnly("FORMERR");
        Served.Ask(Query("www A") with { Authority = [WireOctets.Tsig("key", Mac)] }).IsHeaderOnly("FORMERR");
    }

    [Theory, Trait("RFC", "8945 4.2")]
    [InlineData("", "no RDATA")]
    [InlineData("00", "no time")]
    [InlineData("00 00006543210F 012C", "no MAC size")]
    [InlineData("00 00006543210F 012C 0008 00", "a MAC that is cut off")]
    [InlineData("00 00006543210F 012C 0000 1234 0000", "no other length")]
    [InlineData("00 00006543210F 012C 0000 1234 0000 0006 00", "other data that is cut off")]
    [InlineData("00 00006543210F 012C 0000 1234 0000 0000 FF", "octets behind other data")]
    [InlineData("C00C 00006543210F 012C 0000 1234 0000 0000", "a compressed algorithm")]
    public void A_signature_that_is_malformed_is_a_format_error(string rdata, string what)
    {
        byte[] tsig = WireOctets.Record("key", RRType.TSIG, (int)RRClass.ANY, 0, WireOctets.Hex(rdata));
        Assert.True(Served.Ask(Query("www A").With(tsig)).Header == "FORMERR", what);
    }

    [Fact, Trait("RFC", "8945 4.2")]
    public void A_signature_of_another_class_or_ttl_is_malformed()
    {
        Served.Ask(Query("www A").With(WireOctets.Tsig("key", Mac, RRClass.IN))).IsHeaderOnly("FORMERR");
        Served.Ask(Query("www A").With(WireOctets.Tsig("key", Mac, ttl: 1))).IsHeaderOnly("FORMERR");
    }
}
