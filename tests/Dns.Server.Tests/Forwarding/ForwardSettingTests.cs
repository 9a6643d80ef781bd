using System.Net;

namespace Dns.Server.Tests.Forwarding;

public sealed class ForwardSettingTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(null, 1024)]
    [InlineData(524_288UL, 1024)]
    [InlineData(1024UL, 128)]
    [InlineData(100UL, 16)]
    public void Sockets_to_upstreams_take_a_quarter_of_the_files_at_most(ulong? files, int sockets)
    {
        ServerOptions options = _folder.Options(
            """{ "Forward": [ { "Zone": ".", "Upstreams": ["192.0.2.1", "192.0.2.2"] }, { "Zone": "a", "Upstreams": ["192.0.2.1"] } ] }""");
        Assert.Equal(sockets, ForwardingFeature.SocketsPerUpstream(options, files));
        Assert.InRange(SocketBinding.TransportOptionsOf(options).OtherDescriptors, 2 * 16, 2 * 1024);
    }

    [Fact]
    public void The_contract_of_forwarding_is_read()
    {
        ServerOptions options = _folder.Options("""
            { "Forward": [ { "Zone": ".", "Upstreams": ["192.0.2.53", "[2001:db8::53]:5353"], "Policy": "round-robin" },
                           { "Zone": "corp.example", "Upstreams": ["192.0.2.1"], "TrustAuthenticData": true } ],
              "Recursion": { "AllowFrom": ["127.0.0.0/8", "::1/128", "192.0.2.7"], "MaxInFlight": 5, "MaxInFlightPerClient": 4,
                             "DropPrivateAddresses": true, "LocalNames": false },
              "Cache": { "MaxBytes": "16M", "MinTtl": 5, "MaxTtl": "1d", "MaxNegativeTtl": "90m", "ServeStale": "0",
                         "Prefetch": false, "NameErrorCoversNamesBelow": false, "File": "kept.bin" } }
            """);
        Assert.Equal([IPEndPoint.Parse("192.0.2.53:53"), IPEndPoint.Parse("[2001:db8::53]:5353")],
            options.Forward[0].Upstreams);
        Assert.Equal((".", UpstreamPolicy.RoundRobin, false),
            (options.Forward[0].Name.ToString(), options.Forward[0].Policy, options.Forward[0].TrustAuthenticData));
        Assert.True(options.Forward[1].TrustAuthenticData);
        Assert.Equal(["127.0.0.0/8", "::1/128", "192.0.2.7/32"],
            options.Recursion.AllowFrom.Select(network => network.ToString()));
        Assert.Equal((5, 4, true, false), (options.Recursion.MaxInFlight, options.Recursion.MaxInFlightPerClient,
            options.Recursion.DropPrivateAddresses, options.RecursionLocalNames));
        Assert.Equal((16L << 20, 5, 5400, 0), (options.Cache.MaxBytes, options.Cache.MinTtl.TotalSeconds,
            options.Cache.MaxNegativeTtl.TotalSeconds, options.Cache.ServeStale.TotalSeconds));
        Assert.Equal((false, false, Path.Combine(_folder.Root, "kept.bin")),
            (options.Cache.Prefetch, options.Cache.NameErrorCoversNamesBelow, options.CacheFile));
    }

    [Theory]
    [InlineData("""{ "Forward": [ { "Zone": "." } ] }""", "Dns:Forward:0 has no Upstreams: expected an object such as")]
    [InlineData("""{ "Forward": [ { "Upstreams": ["192.0.2.1"] } ] }""",
        "Dns:Forward:0 has no Zone: expected an object such as")]
    [InlineData("""{ "Forward": [ { "Zone": "a..b", "Upstreams": ["192.0.2.1"] } ] }""",
        "Dns:Forward:0:Zone is \"a..b\": expected a domain name")]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstreams": [] } ] }""",
        "Dns:Forward:0:Upstreams is empty: expected a list of addresses")]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstreams": ["224.0.0.1"] } ] }""",
        "Dns:Forward:0:Upstreams:0 is \"224.0.0.1\": expected the address")]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstreams": ["ff02::1"] } ] }""",
        "Dns:Forward:0:Upstreams:0 is \"ff02::1\": expected the address")]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstreams": ["dns.example"] } ] }""",
        "Dns:Forward:0:Upstreams:0 is \"dns.example\": expected the address")]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstreams": ["0.0.0.0"] } ] }""",
        "Dns:Forward:0:Upstreams:0 is \"0.0.0.0\": expected the address")]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstreams": ["192.0.2.1:0"] } ] }""",
        "Dns:Forward:0:Upstreams:0 is \"192.0.2.1:0\"")]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstreams": ["192.0.2.1", "192.0.2.1:53"] } ] }""",
        "already in the list")]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstreams": ["192.0.2.1"], "Policy": "best" } ] }""",
        "Dns:Forward:0:Policy is \"best\": expected one of fastest")]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstream": ["192.0.2.1"] } ] }""",
        "unknown setting Dns:Forward:0:Upstream: did you mean \"Upstreams\"?")]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstreams": ["192.0.2.1"], "TrustAuthenticData": 1 } ] }""",
        "Dns:Forward:0:TrustAuthenticData is 1: expected true or false")]
    [InlineData(
        """{ "Forward": [ { "Zone": "A.b", "Upstreams": ["192.0.2.1"] }, { "Zone": "a.B", "Upstreams": ["192.0.2.1"] } ] }""", "zone a.B. is given twice")]
    [InlineData("""{ "Listen": ["127.0.0.1:5399"], "Forward": [ { "Zone": ".", "Upstreams": ["127.0.0.1:5399"] } ] }""",
        "where this server itself listens")]
    [InlineData("""{ "Listen": ["0.0.0.0:5399"], "Forward": [ { "Zone": ".", "Upstreams": ["127.0.0.2:5399"] } ] }""",
        "where this server itself listens")]
    [InlineData("""{ "Recursion": { "AllowFrom": ["10/8"] } }""",
        "Dns:Recursion:AllowFrom:0 is \"10/8\": expected a network")]
    [InlineData("""{ "Recursion": { "AllowFrom": ["192.0.2.1/24"] } }""",
        "Dns:Recursion:AllowFrom:0 is \"192.0.2.1/24\": expected a network")]
    [InlineData("""{ "Recursion": { "AllowFrom": "::1" } }""",
        "Dns:Recursion:AllowFrom is \"::1\": expected a list of networks")]
    [InlineData("""{ "Cache": { "MaxBytes": "%" } }""", "such as \"256M\" or \"25%\"")]
    [InlineData("""{ "Cache": { "MaxBytes": "100K" } }""",
        "Dns:Cache:MaxBytes is \"100K\": expected an amount of memory from 1M")]
    [InlineData("""{ "Cache": { "MaxBytes": "999999999999G" } }""", "Dns:Cache:MaxBytes is \"999999999999G\"")]
    [InlineData("""{ "Cache": { "MinTtl": "2h", "MaxTtl": "1h" } }""", "Dns:Cache:MinTtl is above Dns:Cache:MaxTtl")]
    [InlineData("""{ "Cache": { "MaxTtl": "2w" } }""", "Dns:Cache:MaxTtl is \"2w\": expected a time up to 1w")]
    [InlineData("""{ "Cache": { "ServeStale": true } }""", "Dns:Cache:ServeStale is true: expected a time")]
    [InlineData("""{ "Cache": { "File": "" } }""", "Dns:Cache:File is \"\": expected the path of a file")]
    public void What_is_wrong_is_named_with_its_key(string settings, string expected) =>
        Assert.Contains(expected, Assert.Single(_folder.Read($"{{ \"Dns\": {settings} }}").Problems).ToString());
}
