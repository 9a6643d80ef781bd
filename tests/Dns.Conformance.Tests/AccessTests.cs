using System.Net;
using Dns.Testing;
using Xunit;
using static Dns.Conformance.Tests.Expectations;

namespace Dns.Conformance.Tests;

/// <summary>A zone that is answered to some clients only.</summary>
public class AccessTests
{
    private const string Inside = "192.0.2.7", InsideIPv6 = "2001:db8::7", Outside = "198.51.100.7";

    private const string Open = """
        $TTL 300
        @ SOA ns h 1 2 3 4 5
        @ NS ns
        ns A 192.0.2.1
        in CNAME www.closed.test.
        mail MX 10 www.closed.test.
        dn DNAME closed.test.
        """;

    private const string Closed = """
        $TTL 300
        @ SOA ns h 1 2 3 4 5
        @ NS ns
        ns A 192.0.2.1
        www A 192.0.2.2
        out CNAME ns.open.test.
        """;

    private readonly ZoneSlot _closed = ServedZones.SlotOf("closed.test", Closed);
    private readonly ServedZones _served;

    public AccessTests()
    {
        _closed.AllowQuery = new ClientNetworks([IPNetwork.Parse("192.0.2.0/24"), IPNetwork.Parse("2001:db8::/32")]);
        ZoneSlot loading = new(DomainName.Parse("loading.test")) { AllowQuery = _closed.AllowQuery };
        _served = new(new ResponderOptions(), ServedZones.SlotOf("open.test", Open), _closed, loading);
    }

    [Theory, Trait("RFC", "8914 4.19")]
    [InlineData("www.closed.test A")]
    [InlineData("closed.test SOA")]
    [InlineData("nx.closed.test A")]
    [InlineData("out.closed.test A")]
    [InlineData("closed.test ANY")]
    [InlineData("closed.test DS")]
    [InlineData("www.loading.test A")]
    public void Others_are_refused_with_the_reason(string question)
    {
        foreach (DnsTransport transport in DnsTransport.All)
        {
            Reply reply = Ask(question, Outside, transport);
            reply.Says("REFUSED");
            Assert.Equal(["ExtendedError 0012"], reply.Options);
        }
    }

    [Theory]
    [InlineData(Inside)]
    [InlineData(InsideIPv6)]
    public void Clients_of_the_list_are_answered(string client)
    {
        Ask("www.closed.test A", client).Says("NOERROR aa", "answer www.closed.test. 300 A 192.0.2.2");
        Assert.Equal("SERVFAIL", Ask("www.loading.test A", client).Header);
    }

    [Fact]
    public void An_alias_into_the_zone_ends_before_it_for_others()
    {
        Assert.Equal(2, Ask("in.open.test A", Inside).Answer.Count);
        Ask("in.open.test A", Outside).Says("NOERROR aa", "answer in.open.test. 300 CNAME www.closed.test.");
        Assert.Equal(3, Ask("www.dn.open.test A", Inside).Answer.Count);
        Ask("www.dn.open.test A", Outside).Says(
            "NOERROR aa", "answer dn.open.test. 300 DNAME closed.test.",
            "answer www.dn.open.test. 300 CNAME www.closed.test.");
    }

    [Fact]
    public void Hosts_in_the_zone_come_without_addresses_for_others()
    {
        Assert.Single(Ask("mail.open.test MX", Inside).Additional);
        Assert.Empty(Ask("mail.open.test MX", Outside).Additional);
    }

    [Fact]
    public void An_empty_list_is_nobody_and_none_is_everybody()
    {
        _closed.AllowQuery = new ClientNetworks([]);
        Assert.Equal("REFUSED", Ask("www.closed.test A", Inside).Header);
        _closed.AllowQuery = null;
        Assert.Equal("NOERROR aa", Ask("www.closed.test A", Outside).Header);
    }

    [Fact]
    public void A_batch_is_judged_client_by_client()
    {
        const int slot = 512;
        string[] froms = [Inside, Outside, InsideIPv6, Outside];
        byte[] query = QueryMessage.For("www.closed.test A").ToOctets(), slots = new byte[froms.Length * slot];
        for (int i = 0; i < froms.Length; i++) query.CopyTo(slots, i * slot);
        int[] lengths = [.. froms.Select(_ => query.Length)];
        ClientAddress[] clients =
            [.. froms.Select(from => ClientAddress.From(new IPEndPoint(IPAddress.Parse(from), 53000)))];
        _served.Responder.RespondToBatch(slots, slot, lengths, clients);
        Assert.Equal(
            ["NOERROR aa", "REFUSED", "NOERROR aa", "REFUSED"],
            froms.Select((_, i) => Reply.Read(slots.AsSpan(i * slot, lengths[i]).ToArray()).Header));
    }

    private Reply Ask(string question, string from, DnsTransport transport = default) =>
        _served.TryAsk(QueryMessage.For(question).WithEdns().ToOctets(), transport, from: from)!;
}
