using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Who is notified of CDS records: the DSYNC records of the parent say it.</summary>
[Trait("RFC", "9859 4.1")]
public sealed class ParentDiscoveryTests
{
    private static readonly IPEndPoint Resolver = IPEndPoint.Parse("192.0.2.53:5353");

    private readonly VirtualClock _clock = new();
    private readonly SimulatedNetwork _network;
    private readonly Dictionary<string, List<(RRType Type, byte[] Rdata)>> _records = [];
    private readonly List<string> _asked = [];
    private string _apex = "example.";
    private Rcode _rcode;

    public ParentDiscoveryTests()
    {
        _network = new SimulatedNetwork(_clock);
        _network.Serve(Resolver, (message, _, _) => ((IEnumerable<byte[]>)[Reply(message)]).GetEnumerator());
    }

    private byte[] Reply(byte[] query)
    {
        Assert.True(MessageReader.TryOpen(query, out MessageReader reader));
        Assert.True(reader.TryReadQuestion(out QuestionReader question));
        byte[] room = new byte[4096], name = new byte[WireName.MaxOctets];
        Assert.True(question.TryExpandName(name, out int octets));
        string text = DomainName.FromOctets(name.AsSpan(0, octets)).ToString();
        _asked.Add($"{text} {RRTypeText.Format(question.Type)}");
        MessageWriter writer = new(room, names: null);
        writer.WriteHeader((ushort)(query[0] << 8 | query[1]), (ushort)(MessageHeader.QueryResponse | (ushort)_rcode));
        writer.TryWriteQuestion(name.AsSpan(0, octets), question.Type, RRClass.IN);
        bool isFound = false;
        foreach (var (type, rdata) in _records.GetValueOrDefault(text) ?? [])
        {
            if (type != question.Type) continue;
            isFound = true;
            writer.TryWrite(MessageSection.Answer, name.AsSpan(0, octets), type, RRClass.IN, 60, rdata);
        }
        if (!isFound)
            writer.TryWrite(MessageSection.Authority, DomainName.Parse(_apex).Octets, RRType.SOA, RRClass.IN, 60,
                new byte[22]);
        return room[..writer.Finish()];
    }

    private void Add(string name, RRType type, params byte[] rdata)
    {
        if (!_records.TryGetValue(name, out var records)) _records[name] = records = [];
        records.Add((type, rdata));
    }

    private void AddDsync(string name, RRType type = RRType.CDS, byte scheme = 1, ushort port = 5300,
        string target = "scan.example.") =>
        Add(name, RRType.DSYNC,
            [0, (byte)type, scheme, (byte)(port >> 8), (byte)port, .. DomainName.Parse(target).Octets]);

    private (IReadOnlyList<ParentServer> Servers, string? Failure) Find(string zone)
    {
        using DsClient client = new(_network.Of(IPAddress.Parse("192.0.2.1")), _clock);
        var task = new ParentDiscovery(client).FindAsync(Resolver, DomainName.Parse(zone), CancellationToken.None);
        for (int i = 0; i < 1000 && !task.IsCompleted; i++) _clock.Advance(TimeSpan.FromMilliseconds(50));
        Assert.True(task.IsCompleted, "it takes too long");
        return task.Result;
    }

    [Fact]
    public void A_record_for_the_child_names_the_server()
    {
        AddDsync("a._dsync.example.");
        Add("scan.example.", RRType.A, 192, 0, 2, 7);
        var (servers, failure) = Find("a.example");
        Assert.Null(failure);
        Assert.Equal(new ParentServer(IPEndPoint.Parse("192.0.2.7:5300"), RRType.CDS), Assert.Single(servers));
        Assert.Equal(["a._dsync.example. DSYNC", "scan.example. AAAA", "scan.example. A"], _asked);
    }

    [Fact]
    public void A_parent_further_up_is_found_by_the_SOA_record_and_may_have_one_record_for_all()
    {
        AddDsync("_dsync.example.", RRType.CDNSKEY);
        Add("scan.example.", RRType.AAAA, [.. IPAddress.Parse("2001:db8::7").GetAddressBytes()]);
        var (servers, _) = Find("a.b.c.example");
        Assert.Equal(new ParentServer(IPEndPoint.Parse("[2001:db8::7]:5300"), RRType.CDNSKEY), Assert.Single(servers));
        Assert.Equal(["a._dsync.b.c.example. DSYNC", "a.b.c._dsync.example. DSYNC", "_dsync.example. DSYNC"],
            _asked[..3]);
    }

    [Theory]
    [InlineData("example.", 2)]
    [InlineData("_dsync.example.", 2)]
    [InlineData("other.", 1)]
    [InlineData("a.example.", 1)]
    public void A_parent_without_records_is_asked_a_few_times(string apex, int times)
    {
        _apex = apex;
        var (servers, failure) = Find("a.example");
        Assert.Equal((0, null, times), (servers.Count, failure, _asked.Count));
    }

    [Fact]
    public void Only_schemes_types_ports_and_addresses_that_can_be_notified_count()
    {
        AddDsync("a._dsync.example.", scheme: 2);
        AddDsync("a._dsync.example.", RRType.CSYNC);
        AddDsync("a._dsync.example.", port: 0);
        AddDsync("a._dsync.example.", target: ".");
        Assert.Equal((0, null), (Find("a.example").Servers.Count, Find("a.example").Failure));
        AddDsync("a._dsync.example.");
        Add("scan.example.", RRType.A, 239, 0, 0, 1);
        Assert.Equal($"{Resolver} knows no address of scan.example.", Find("a.example").Failure);
    }

    [Fact]
    public void What_says_nothing_is_a_failure_and_the_root_has_no_parent()
    {
        _rcode = Rcode.ServFail;
        Assert.Equal("the answer is SERVFAIL", Find("a.example").Failure);
        _network.IsCut = (_, _) => true;
        Assert.Equal($"{Resolver} does not answer", Find("a.example").Failure);
        Assert.Equal((0, null), (Find(".").Servers.Count, Find(".").Failure));
    }
}
