using Dns.Testing;
using Xunit;
using static Dns.Testing.ExampleZones;

namespace Dns.Answering.Tests;

/// <summary>No kind of answer allocates, from the first query after the code is warm.</summary>
public class AllocationTests
{
    private const int Rounds = 1000;

    private static readonly ServedZones Zones = WithOptions(new ResponderOptions
    {
        Identity = "ns1", Version = "1", Cookies = new ServerCookies(TimeSpan.Zero, 1_700_000_000),
    });

    [Theory]
    [InlineData("www A", "NOERROR aa")]
    [InlineData("wWw A", "NOERROR aa")]
    [InlineData("www TXT", "NOERROR aa")]
    [InlineData("nx A", "NXDOMAIN aa")]
    [InlineData("a.b.c.nx A", "NXDOMAIN aa")]
    [InlineData("host.sub A", "NOERROR")]
    [InlineData("sec DS", "NOERROR aa")]
    [InlineData("alias2 A", "NOERROR aa")]
    [InlineData("aliaskid A", "NOERROR aa")]
    [InlineData("chain0 A", "NOERROR aa")]
    [InlineData("loop1 A", "NOERROR aa")]
    [InlineData("host.dn A", "NOERROR aa")]
    [InlineData("foo.wild A", "NOERROR aa")]
    [InlineData("foo.wc A", "NOERROR aa")]
    [InlineData("many MX", "NOERROR aa")]
    [InlineData("@ NS", "NOERROR aa")]
    [InlineData("ns1 ANY", "NOERROR aa")]
    [InlineData("big TXT", "NOERROR aa tc")]
    [InlineData("www OPT", "FORMERR")]
    [InlineData("www A HS", "REFUSED")]
    [InlineData("www.example.com. A", "REFUSED")]
    [InlineData("version.bind. TXT CH", "NOERROR aa")]
    [InlineData("@ AXFR", "REFUSED")]
    public void No_answer_allocates(string question, string header)
    {
        Assert.Equal(0, AllocatedBytes(Query(question), DnsTransport.Udp, header));
    }

    [Fact]
    public void No_answer_with_options_allocates()
    {
        byte[][] options =
        [
            .. new[] { EdnsOptionCode.Nsid, EdnsOptionCode.Expire, EdnsOptionCode.TcpKeepalive,
                EdnsOptionCode.ZoneVersion }
                .Select(code => WireOctets.Option(code, [])),
        ];
        Assert.Equal(0, AllocatedBytes(Query("@ SOA").WithEdns(4096, true, options), DnsTransport.Udp, "NOERROR aa"));
        Assert.Equal(0, AllocatedBytes(Query("@ SOA").WithEdns(4096, true, options), DnsTransport.Tcp, "NOERROR aa"));
        Assert.Equal(0,
            AllocatedBytes(Query("x.example.com. A").WithEdns(4096, true, options), DnsTransport.Tcp, "REFUSED"));
    }

    [Theory]
    [InlineData("0102030405060708", "NOERROR aa")]
    [InlineData("0102030405060708010000006553F1000000000000000000", "NOERROR aa")]
    [InlineData("01", "FORMERR")]
    public void No_answer_with_a_cookie_allocates(string cookie, string header)
    {
        QueryMessage query = Query("www A").WithOption(EdnsOptionCode.Cookie, cookie);
        Assert.Equal(0, AllocatedBytes(query, DnsTransport.Udp, header));
        Assert.Equal(0, AllocatedBytes(query, DnsTransport.Tcp, header));
    }

    [Fact]
    public void No_answer_over_a_stream_allocates() =>
        Assert.Equal(0, AllocatedBytes(Query("big TXT"), DnsTransport.Tcp, "NOERROR aa"));

    [Fact]
    public void No_error_allocates()
    {
        QueryMessage query = Query("www A");
        Assert.Equal(0, AllocatedBytes(query with { Counts = [1, 0, 0, 1] }, DnsTransport.Udp, "FORMERR"));
        Assert.Equal(0, AllocatedBytes(query with { Flags = 5 << 11 }, DnsTransport.Udp, "NOTIMP"));
        Assert.Equal(0, AllocatedBytes(query.With(WireOctets.Opt(1232, 1, 0)), DnsTransport.Udp, "BADVERS"));
        Assert.Equal(0, AllocatedBytes(query.With(WireOctets.Tsig("key", new byte[32])), DnsTransport.Udp, "NOTAUTH"));
    }

    private static long AllocatedBytes(QueryMessage query, DnsTransport transport, string header)
    {
        byte[] packet = query.ToOctets(), room = new byte[ushort.MaxValue];
        ClientAddress client = new() { Port = 53000 };
        Assert.Equal(header, Zones.TryAsk(packet, transport)!.Header);
        Run(2);
        return AllocatedOctets.Least(() => Run(Rounds));

        void Run(int rounds)
        {
            for (int i = 0; i < rounds; i++)
            {
                packet.CopyTo(room, 0);
                Zones.Responder.Respond(room, packet.Length, transport, ref client);
            }
        }
    }
}
