using System.Net;
using System.Net.Sockets;
using Dns.Protocol;
using Dns.Testing;
using Xunit;

namespace Dns.Integration.Tests.Forwarding;

/// <summary>The whole program where aliases lead from one forwarded zone to another, to a zone served, and in circles.</summary>
public sealed class ChainTests : IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-chain-").FullName;
    private readonly LoopbackUpstream _corp = new((query, _) => Answer(query, "corp", "cdn"));
    private readonly LoopbackUpstream _cdn = new((query, _) => Answer(query, "cdn", "corp"));
    private DnsdProcess _dnsd = null!;
    private IPEndPoint _server = null!;

    public async Task InitializeAsync()
    {
        await File.WriteAllTextAsync(Path.Combine(_folder, "local.zone"),
            "$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\nwww A 192.0.2.10\nout CNAME far.corp.example.\n");
        string settings = Path.Combine(_folder, "chain.json");
        await File.WriteAllTextAsync(settings, $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Name": "local.example", "File": "local.zone" } ],
                "Forward": [ { "Zone": "corp.example", "Upstreams": ["{{_corp.Address}}"] },
                             { "Zone": "cdn.example", "Upstreams": ["{{_cdn.Address}}"] } ],
                "Recursion": { "AllowFrom": ["127.0.0.0/8"] } } }
            """);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", settings]);
        _server = await _dnsd.WaitUntilLoadedAsync();
    }

    public async Task DisposeAsync()
    {
        _dnsd.Dispose();
        await _corp.DisposeAsync();
        await _cdn.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData("far.corp.example", "far.corp.example. 0 CNAME www.cdn.example.", "www.cdn.example. 256 A 192.0.2.1")]
    [InlineData("near.corp.example", "near.corp.example. 0 CNAME www.local.example.", "www.local.example. 60 A 192.0.2.10")]
    [InlineData("out.local.example", "out.local.example. 60 CNAME far.corp.example.", "far.corp.example. 0 CNAME www.cdn.example.",
        "www.cdn.example. 256 A 192.0.2.1")]
    public async Task An_alias_is_followed_to_whoever_answers_for_its_target(string question, params string[] answer)
    {
        Reply reply = await AskAsync(question);
        Assert.Equal(Rcode.NoError, reply.Rcode);
        Assert.Equal(answer, reply.Answer.Select(record => record.ToString()));
    }

    [Theory]
    [InlineData("round.corp.example", Rcode.NoError)]
    [InlineData("n0.corp.example", Rcode.ServFail)]
    public async Task Chains_that_nobody_can_keep_and_that_never_end_do_end(string question, Rcode rcode)
    {
        int before = _corp.Sources.Count + _cdn.Sources.Count;
        Assert.Equal(rcode, (await AskAsync(question)).Rcode);
        Assert.InRange(_corp.Sources.Count + _cdn.Sources.Count - before, 2, 8);
    }

    /// <summary>Aliases with a TTL of 0, each with an address that this server has no right to give.</summary>
    private static byte[] Answer(byte[] query, string zone, string other)
    {
        int end = 12;
        WireName.TrySkip(query, ref end);
        string name = NameText.ToText(query[12..end]).ToLowerInvariant(), label = name[..name.IndexOf('.', StringComparison.Ordinal)];
        if (name == "www.cdn.example.") return LoopbackUpstream.Answer(query);
        string target = label switch
        {
            "far" => "www.cdn.example.",
            "near" => "www.local.example.",
            "round" => $"round.{other}.example.",
            _ => $"n{int.Parse(label[1..], System.Globalization.CultureInfo.InvariantCulture) + 1}.{other}.example.",
        };
        Assert.EndsWith($".{zone}.example.", name, StringComparison.Ordinal);
        byte[] reply =
        [
            .. query[..(end + 4)], .. WireOctets.Record(name, RRType.CNAME, 1, 0, WireOctets.Name(target)),
            .. WireOctets.Record(target, RRType.A, 1, 3600, [203, 0, 113, 66]),
        ];
        MessageHeader.SetFlags(reply, 0x8180);
        MessageHeader.SetCount(reply, 1, 2);
        MessageHeader.SetCount(reply, 3, 0);
        return reply;
    }

    private async Task<Reply> AskAsync(string question)
    {
        using UdpClient client = new(AddressFamily.InterNetwork);
        client.Connect(_server);
        await client.SendAsync((QueryMessage.For(question) with { Flags = MessageHeader.RecursionDesired }).ToOctets());
        return Reply.Read((await client.ReceiveAsync().WaitAsync(TimeSpan.FromSeconds(10))).Buffer);
    }
}
