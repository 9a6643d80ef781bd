using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

/// <summary>
/// Packets that have brought other servers to their knees: each takes next to nothing of the processor.
/// </summary>
public class BadInputTests
{
    private static readonly ServedZones Zones = ExampleZones.WithOptions(new ResponderOptions { Identity = "ns1" });

    [Fact]
    public void A_header_with_full_counts_is_malformed_at_once()
    {
        byte[] header = (new QueryMessage() with { Counts = [65535, 65535, 65535, 65535] }).ToOctets();
        Assert.Equal("FORMERR", AskedInTime(header, DnsTransport.Udp).Header);
        header = (ExampleZones.Query("www A") with { Counts = [1, 65535, 65535, 65535] }).ToOctets();
        Assert.Equal("FORMERR", AskedInTime(header, DnsTransport.Tcp).Header);
    }

    [Theory]
    [InlineData("C00C")]
    [InlineData("01 61 C00C")]
    [InlineData("C00E C00C")]
    public void A_loop_of_pointers_is_malformed_at_once(string name)
    {
        byte[] packet = new QueryMessage { Question = [.. WireOctets.Hex(name), 0, 1, 0, 1] }.ToOctets();
        Assert.Equal("FORMERR", AskedInTime(packet, DnsTransport.Udp).Header);
    }

    [Fact]
    public void A_loop_of_pointers_in_the_name_of_a_key_is_malformed_at_once()
    {
        byte[] tsig = WireOctets.Tsig(".", []);
        QueryMessage query = ExampleZones.Query("www A");
        int owner = query.ToOctets().Length;
        byte[] looping = [.. WireOctets.UInt16(0xC000 | owner), .. tsig[1..]];
        Assert.Equal("FORMERR", AskedInTime(query.With(looping).ToOctets(), DnsTransport.Udp).Header);
    }

    [Fact]
    public void Thousands_of_names_in_a_frame_are_walked_at_once()
    {
        byte[][] records =
            [.. Enumerable.Range(0, 3700).Select(i => WireOctets.Record($"n{i}", (RRType)65280, 1, 0, []))];
        byte[] packet = (ExampleZones.Query("www A") with { Additional = records }).ToOctets();
        Assert.True(packet.Length is > 60_000 and <= 65_535);
        Assert.Equal("NOERROR aa", AskedInTime(packet, DnsTransport.Tcp).Header);
        byte[][] pointers = [.. Enumerable.Repeat((byte[])[0xC0, 12, 0xFF, 0, 0, 1, 0, 0, 0, 0, 0, 0], 5400)];
        packet = (ExampleZones.Query("www A") with { Additional = pointers }).ToOctets();
        Assert.Equal("NOERROR aa", AskedInTime(packet, DnsTransport.Tcp).Header);
    }

    [Fact]
    public void Four_thousand_options_are_walked_at_once()
    {
        foreach (EdnsOptionCode code in (EdnsOptionCode[])[EdnsOptionCode.Nsid, EdnsOptionCode.Cookie,
            (EdnsOptionCode)65001])
        {
            byte[][] options = [.. Enumerable.Repeat(WireOctets.Option(code, [0, 1, 2, 3]), 4000)];
            Reply reply =
                AskedInTime(ExampleZones.Query("www A").WithEdns(1232, false, options).ToOctets(), DnsTransport.Tcp);
            Assert.Single(reply.Answer);
            Assert.Equal(code == EdnsOptionCode.Nsid ? 1 : 0, reply.Options.Count);
        }
    }

    [Theory]
    [InlineData(3000, "NOERROR aa")]
    [InlineData(4000, "SERVFAIL")]
    public void Thousands_of_names_in_an_answer_are_compressed_at_once(int count, string header)
    {
        string records = string.Concat(Enumerable.Range(0, count).Select(i => $"many PTR n{i}\n"));
        ServedZones zones = new(("big.test", $"$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\n{records}"));
        byte[] query = QueryMessage.For("many.big.test PTR").ToOctets();
        AssertInTime(zones.Responder, query, DnsTransport.Tcp);
        Reply reply = zones.TryAsk(query, DnsTransport.Tcp)!;
        Assert.Equal(header, reply.Header);
        if (header != "SERVFAIL") Assert.Equal(count, reply.Answer.Count);
    }

    [Theory]
    [InlineData(RRClass.IN)]
    [InlineData((RRClass)0)]
    [InlineData((RRClass)2)]
    [InlineData(RRClass.CH)]
    [InlineData(RRClass.HS)]
    [InlineData(RRClass.NONE)]
    [InlineData(RRClass.ANY)]
    [InlineData((RRClass)65280)]
    public void Every_type_of_question_is_answered_in_every_class(RRClass rrClass)
    {
        byte[] packet = new QueryMessage { Question = WireOctets.Question("www.example.test", 0, rrClass) }.ToOctets();
        for (int type = 0; type <= 65535; type++)
        {
            packet[^4] = (byte)(type >> 8);
            packet[^3] = (byte)type;
            Reply reply = Zones.Ask(packet);
            if (rrClass != RRClass.IN) Assert.Equal("REFUSED", reply.Header);
            else Assert.True(reply.Rcode is Rcode.NoError or Rcode.FormErr or Rcode.NotImp or Rcode.NotAuth,
                $"TYPE{type}: {reply}");
        }
    }

    private static Reply AskedInTime(byte[] packet, DnsTransport transport)
    {
        AssertInTime(Zones.Responder, packet, transport);
        return Zones.TryAsk(packet, transport)!;
    }

    /// <summary>
    /// The least of several runs, in time of the processor: the first ones run code that is not optimized yet. Work
    /// that grows by the square of these packets takes ten times the bound.
    /// </summary>
    private static void AssertInTime(Responder responder, byte[] packet, DnsTransport transport)
    {
        TimeSpan bound = TimeSpan.FromMilliseconds(20), least = TimeSpan.MaxValue;
        byte[] room = new byte[ushort.MaxValue];
        for (int i = 0; i < 20 && least > bound; i++)
        {
            packet.CopyTo(room, 0);
            TimeSpan took = ProcessorTime.Of(() =>
            {
                ClientAddress client = new() { Port = 53000 };
                responder.Respond(room, packet.Length, transport, ref client);
            });
            if (took < least) least = took;
        }
        Assert.True(least <= bound, $"took {least.TotalMilliseconds} ms of the processor");
    }
}
