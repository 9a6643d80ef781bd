namespace Dns.Import.Tests;

/// <summary>Settings with an equivalent here, in the forms of each server.</summary>
public sealed class ImportedValuesTests : ImportTestBase
{
    private object? Of(string options, string path, out string[] notes)
    {
        var (_, lines, imported) = Import("named.conf", $"options {{ recursion no; {options} }};\n", "bind");
        notes = lines;
        return imported.Values.GetValueOrDefault(path);
    }

    [Theory]
    [InlineData("max-cache-size 100m;", "Cache:MaxBytes", "100M")]
    [InlineData("max-cache-size 50%;", "Cache:MaxBytes", "50%")]
    [InlineData("max-cache-ttl 1h30m;", "Cache:MaxTtl", "90m")]
    [InlineData("min-cache-ttl 30;", "Cache:MinTtl", "30")]
    [InlineData("max-ncache-ttl 600;", "Cache:MaxNegativeTtl", "10m")]
    [InlineData("stale-answer-enable no; max-stale-ttl 3600;", "Cache:ServeStale", "0")]
    [InlineData("max-stale-ttl 3600; stale-answer-enable yes;", "Cache:ServeStale", "1h")]
    [InlineData("stale-answer-enable yes;", "Cache:ServeStale", "1d")]
    [InlineData("stale-answer-client-timeout 1500;", "Recursion:AnswerWithinMs", 1500)]
    [InlineData("prefetch 0;", "Cache:Prefetch", false)]
    [InlineData("max-records-per-type 0;", "MaxRecordsPerType", 65535)]
    [InlineData("max-types-per-name 40;", "MaxTypesPerName", 40)]
    [InlineData("tcp-idle-timeout 305;", "Tcp:IdleTimeoutSeconds", 31)]
    [InlineData("tcp-initial-timeout 300;", "Tcp:ReceiveTimeoutSeconds", 30)]
    [InlineData("empty-zones-enable no;", "Recursion:LocalNames", false)]
    [InlineData("rrset-order { order cyclic; };", "RotateRRsets", true)]
    [InlineData("rrset-order { order fixed; };", "RotateRRsets", false)]
    public void A_setting_of_bind_with_an_equivalent_is_translated(string options, string path, object expected)
    {
        Assert.Equal(expected, Of(options, path, out string[] notes));
        Assert.DoesNotContain(notes, note => !note.Contains("recursion"));
    }

    [Theory]
    [InlineData("max-cache-ttl 2w;", "Cache:MaxTtl", "1w", "Dns:Cache:MaxTtl takes 0 to 604800, the nearest is set")]
    [InlineData("max-cache-size 100%;", "Cache:MaxBytes", "80%", "Dns:Cache:MaxBytes is at most 80% of the memory")]
    [InlineData("max-cache-size 1023g;", "Cache:MaxBytes", "80%", "80% of this machine's memory")]
    [InlineData("max-cache-size 1000;", "Cache:MaxBytes", "1M", "the nearest is set")]
    [InlineData("max-cache-size unlimited;", "Cache:MaxBytes", null, "always a limit")]
    [InlineData("max-cache-size much;", "Cache:MaxBytes", null, "not an amount of memory")]
    [InlineData("tcp-clients 0;", "Tcp:MaxConnections", 1, "the nearest is set")]
    [InlineData("tcp-clients many;", "Tcp:MaxConnections", null, "not a number")]
    [InlineData("minimal-any perhaps;", "MinimalAny", null, "neither yes nor no")]
    [InlineData("querylog yes;", "QueryLog:File", null,
        "no file is named, so queries are not logged: set Dns:QueryLog:File")]
    public void What_a_setting_does_not_take_is_said(string options, string path, object? expected, string note)
    {
        Assert.Equal(expected, Of(options, path, out string[] notes));
        Assert.Contains(notes, line => line.Contains("changes behaviour") && line.Contains(note));
    }

    [Theory]
    [InlineData("inet 127.0.0.1 port 8053;", "127.0.0.1:8053")]
    [InlineData("inet ::1 port 8053; inet 127.0.0.1 port 8054;", "[::1]:8053")]
    [InlineData("inet 192.0.2.1 port 8053;", null)]
    [InlineData("inet * port 8053;", null)]
    public void A_statistics_channel_on_loopback_is_the_admin_port(string channel, string? expected)
    {
        var (options, notes, _) =
            Import("named.conf", $"options {{ recursion no; }};\nstatistics-channels {{ {channel} }};\n");
        Assert.Equal(expected, options.Admin.Listen?.ToString());
        Assert.Contains(notes, note => note.Contains("statistics-channels"));
    }

    [Fact]
    public void The_file_of_the_category_of_queries_is_the_query_log()
    {
        var (options, notes, _) = Import("named.conf", """
            options { recursion no; querylog yes; };
            logging { channel q { file "q.log"; }; channel d { file "d.log"; }; category queries { q; }; category default { d; }; };
            """);
        Assert.EndsWith("q.dnsd.log", options.QueryLog.File);
        Assert.DoesNotContain(notes, note => note.Contains("takes a file"));
    }

    [Theory]
    [InlineData(
        "rrl-ratelimit: 100\n  rrl-slip: 3\n  rrl-size: 50000\n  rrl-ipv4-prefix-length: 28\n  " +
            "rrl-ipv6-prefix-length: 60", "On 100 100 100 3 28 60 50000")]
    [InlineData("rrl-slip: 3", "On 200 200 200 3 24 56 100000")]
    [InlineData("rrl-ratelimit: 0", "Off 20 20 20 2 24 56 100000")]
    [InlineData("verbosity: 1", "Off 20 20 20 2 24 56 100000")]
    public void The_rate_limit_of_nsd_is_taken_over(string lines, string expected) =>
        Assert.Equal(expected, RateLimit(Import("nsd.conf", $"server:\n  {lines}\n", "nsd").Options));

    [Fact]
    public void Modules_of_knot_with_an_equivalent_are_translated()
    {
        var (options, notes, imported) = Import("knot.conf", """
            mod-rrl:
              - id: default
                rate-limit: 60
                slip: 2
                table-size: 20000
                whitelist: [ 192.0.2.0/24, 198.51.100.0-198.51.100.1 ]
            mod-cookies:
              - id: c
                secret: 0x00112233445566778899aabbccddeeff
            mod-dnstap:
              - id: d
                sink: unix:/run/dnstap.sock
            template:
              - id: default
                global-module: [ mod-rrl/default, mod-cookies/c, mod-dnstap/d ]
              - id: one
                module: mod-rrl/default
            zone:
              - domain: a.example
                template: one
            """, "knot");
        Assert.Equal("On 60 60 60 2 24 56 20000", RateLimit(options));
        Assert.Equal("192.0.2.0/24 198.51.100.0/31", string.Join(' ', options.RateLimit.Exempt));
        Assert.Single(options.Cookies.Secrets);
        Assert.Equal("/run/dnstap.sock", imported.Values["Dnstap:Socket"]);
        Assert.Equal(
            ["knot.conf:17: zone a.example: changes behaviour: mod-rrl: it is for all zones (the server cannot)"],
            notes);
    }

    private static string RateLimit(ServerOptions options) => string.Join(' ',
        options.RateLimit.Mode, options.RateLimit.ResponsesPerSecond, options.RateLimit.ErrorsPerSecond,
        options.RateLimit.NxDomainsPerSecond,
        options.RateLimit.Slip, options.RateLimit.IPv4Prefix, options.RateLimit.IPv6Prefix, options.RateLimit.Table);
}
