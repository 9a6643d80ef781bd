using Dns.Testing;
using Xunit;

namespace Dns.Providers.Tests;

[Trait("RFC", "6303")]
public class LocalNamesTests
{
    private static ServedZones Serve(params string[] configured)
    {
        ZoneRegistry registry = new(new PublishedZones());
        new LocalNamesSource([.. configured.Select(DomainName.Parse)])
            .StartAsync(registry, new SilentObserver(), default);
        return new(new Answering.ResponderOptions(), [.. registry.Published.Current.Slots]);
    }

    [Theory]
    [InlineData("localhost A", "answer localhost. 10800 A 127.0.0.1")]
    [InlineData("some.localhost AAAA", "answer some.localhost. 10800 AAAA ::1")]
    [InlineData("1.0.0.127.in-addr.arpa PTR", "answer 1.0.0.127.in-addr.arpa. 10800 PTR localhost.")]
    [InlineData("1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa PTR",
        "answer 1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa. 10800 PTR localhost.")]
    public void Loopback_has_its_name_and_its_addresses(string question, string line) =>
        Assert.Equal(["NOERROR aa", line], Serve().Ask(question).Lines);

    [Theory]
    [InlineData("9.1.168.192.in-addr.arpa PTR")]
    [InlineData("1.2.3.10.in-addr.arpa PTR")]
    [InlineData("1.0.31.172.in-addr.arpa PTR")]
    [InlineData("1.0.64.100.in-addr.arpa PTR")]
    [InlineData("1.0.127.100.in-addr.arpa PTR")]
    [InlineData("0.0.d.f.ip6.arpa PTR")]
    [InlineData("www.invalid A")]
    [InlineData("www.onion A")]
    [InlineData("printer.local A")]
    public void Names_that_nobody_else_knows_do_not_exist(string question)
    {
        Reply reply = Serve().Ask(question);
        Assert.Equal("NXDOMAIN aa", reply.Header);
        Assert.Equal(RRType.SOA, Assert.Single(reply.Authority).Type);
    }

    [Theory]
    [InlineData("1.0.32.172.in-addr.arpa PTR")]
    [InlineData("1.0.128.100.in-addr.arpa PTR")]
    [InlineData("1.1.1.1.in-addr.arpa PTR")]
    [InlineData("www.example A")]
    public void Neighbouring_names_are_not_touched(string question) =>
        Assert.Equal("REFUSED", Serve().Ask(question).Header);

    [Theory]
    [InlineData("10.in-addr.arpa", "1.2.3.10.in-addr.arpa PTR", "REFUSED")]
    [InlineData("in-addr.arpa", "1.2.3.10.in-addr.arpa PTR", "REFUSED")]
    [InlineData(".", "1.2.3.10.in-addr.arpa PTR", "NXDOMAIN aa")]
    [InlineData("3.10.in-addr.arpa", "1.2.4.10.in-addr.arpa PTR", "NXDOMAIN aa")]
    [InlineData("test", "www.test A", "REFUSED")]
    [InlineData("example.test", "www.other.test A", "NXDOMAIN aa")]
    public void What_the_operator_configured_takes_their_place(string configured, string question, string header) =>
        Assert.Equal(header, Serve(configured).Ask(question).Header);
}
