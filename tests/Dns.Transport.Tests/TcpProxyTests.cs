using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>Connections of proxies.</summary>
public sealed class TcpProxyTests
{
    private static readonly byte[] Header = ProxyHeaders.For("203.0.113.9:4711", fieldOctets: 6, protocol: 1);

    [Theory]
    [InlineData("203.0.113.9:4711")]
    [InlineData("[2001:db8::9]:4712")]
    public async Task The_responder_sees_the_client_in_every_query_of_the_connection(string from)
    {
        await using TcpRig rig = new(proxyFrom: ProxyHeaders.Loopback);
        using Socket client = rig.Connect();
        byte[] first = TestResponder.Query(1, 30), second = TestResponder.Query(2, 50), third = TestResponder.Query(3);
        client.Send([.. ProxyHeaders.For(from, protocol: 1), .. TcpRig.Frames(first, second)]);
        Assert.Equal(TestResponder.Answer(first), TcpRig.ReceiveMessage(client));
        Assert.Equal(TestResponder.Answer(second), TcpRig.ReceiveMessage(client));
        Assert.Equal(from, rig.Responder.LastClient.ToString());
        Assert.Equal(TestResponder.Answer(third), TcpRig.Ask(client, third));
        Assert.Equal(from, rig.Responder.LastClient.ToString());
    }

    [Fact]
    public async Task A_header_is_taken_however_its_octets_arrive()
    {
        await using TcpRig rig = new(proxyFrom: ProxyHeaders.Loopback);
        byte[] query = TestResponder.Query(1, 30), octets = [.. Header, .. TcpRig.Frames(query)];
        for (int cut = 1; cut < octets.Length; cut++)
        {
            using Socket client = rig.Connect();
            client.Send(octets.AsSpan(0, cut));
            client.Send(octets.AsSpan(cut));
            Assert.Equal(TestResponder.Answer(query), TcpRig.ReceiveMessage(client));
            Assert.Equal("203.0.113.9:4711", rig.Responder.LastClient.ToString());
        }
    }

    [Fact]
    public async Task One_octet_a_segment_is_answered()
    {
        await using TcpRig rig = new(proxyFrom: ProxyHeaders.Loopback);
        using Socket client = rig.Connect();
        byte[] query = TestResponder.Query(1, 30);
        foreach (byte octet in (byte[])[.. Header, .. TcpRig.Frames(query)])
        {
            client.Send([octet]);
        }

        Assert.Equal(TestResponder.Answer(query), TcpRig.ReceiveMessage(client));
    }

    [Fact]
    public async Task The_longest_header_and_a_local_one_are_taken()
    {
        await using TcpRig rig = new(proxyFrom: ProxyHeaders.Loopback);
        using Socket client = rig.Connect();
        client
            .Send([.. ProxyHeaders.Local(ProxyHeader.MostOctets - 16), .. TcpRig.Frames(TestResponder.Query(1, 3000))]);
        Assert.Equal(3000, TcpRig.ReceiveMessage(client).Length);
        Assert.Equal(client.LocalEndPoint, rig.Responder.LastClient.ToEndPoint());
    }

    [Theory]
    [InlineData("signature", "0D0A0D0A000D0A515549540B 21 12 000C")]
    [InlineData("version", "0D0A0D0A000D0A515549540A 31 12 000C")]
    [InlineData("family", "0D0A0D0A000D0A515549540A 21 32 0004 00000000")]
    [InlineData("length", "0D0A0D0A000D0A515549540A 21 12 FFFF")]
    [InlineData("query", "000C 000000000000000000000000")]
    public async Task A_malformed_header_ends_the_connection_and_is_counted(string what, string octets)
    {
        await using TcpRig rig = new(proxyFrom: ProxyHeaders.Loopback);
        using Socket client = rig.Connect();
        client.Send(Convert.FromHexString(octets.Replace(" ", "")));
        Assert.True(TcpRig.IsClosed(client), what);
        rig.WaitFor(counters => counters is { BadProxyHeaders: 1, Received: 0, Sent: 0, Open: 0 });
    }

    [Fact]
    public async Task A_header_that_never_becomes_whole_is_closed_in_time()
    {
        await using TcpRig rig = new(proxyFrom: ProxyHeaders.Loopback);
        using Socket client = rig.Connect();
        client.Send(Header.AsSpan(0, 20));
        Assert.True(
            SpinWait.SpinUntil(
                () =>
                {
                    rig.Clock.Advance(TimeSpan.FromSeconds(1));
                    return rig.Listeners.Table.Counters.Open == 0;
                },
                TcpRig.TimeoutMs));
        Assert.Equal(1, rig.Listeners.Table.Counters.TimedOut);
    }

    [Fact]
    public async Task Who_is_no_proxy_is_answered_without_a_header_and_one_of_his_is_no_header()
    {
        await using TcpRig rig = new(proxyFrom: ProxyHeaders.Elsewhere);
        using Socket client = rig.Connect();
        Assert.Equal(1, TcpRig.Ask(client, TestResponder.Query(1))[1]);
        Assert.Equal(client.LocalEndPoint, rig.Responder.LastClient.ToEndPoint());

        // Its first two octets are the length of a message, 3,338, whose header requests 13 octets.
        byte[] message = new byte[2 + 0x0D0A];
        Header.CopyTo(message, 0);
        client.Send(message);
        Assert.Equal(13, TcpRig.ReceiveMessage(client).Length);
        Assert.Equal(client.LocalEndPoint, rig.Responder.LastClient.ToEndPoint());
    }

    [Fact]
    public async Task A_later_answer_knows_the_client()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(responder: later.Responder, proxyFrom: ProxyHeaders.Loopback);
        using Socket client = rig.Connect();
        client.Send([.. Header, .. TcpRig.Frames(TestResponder.Query(LaterAnswers.FirstLater))]);
        ReplyPath path = later.Next().Path;
        Assert.Equal("203.0.113.9:4711", path.Client.ToString());
        path.Send(LaterAnswers.AnswerTo(LaterAnswers.FirstLater));
        Assert.Equal(LaterAnswers.AnswerTo(LaterAnswers.FirstLater), TcpRig.ReceiveMessage(client));
    }
}
