using System.Diagnostics.Metrics;
using System.Text.RegularExpressions;
using Dns.Testing;

namespace Dns.Telemetry.Tests;

public partial class PrometheusTextTests
{
    [Fact]
    public void Labels_and_help_are_escaped()
    {
        using Meter meter = new("test");
        using PrometheusText text = new(meter);
        meter.CreateObservableGauge("a_b",
            () => new Measurement<long>(3, new KeyValuePair<string, object?>("zone", "a\"b\\c\nd")), null, "x\\y\nz");
        Assert.Equal("# HELP a_b x\\\\y\\nz\n# TYPE a_b gauge\na_b{zone=\"a\\\"b\\\\c\\nd\"} 3\n",
            TelemetrySources.TextOf(text.Write));
    }

    [Theory]
    [InlineData(0.000001024, "0.000001024")]
    [InlineData(double.PositiveInfinity, "+Inf")]
    [InlineData(1795000000.25, "1795000000.25")]
    [InlineData(0, "0")]
    public void Numbers_are_written_as_prometheus_reads_them(double value, string expected) =>
        Assert.Equal(expected, PrometheusText.TextOf(value));

    [Fact]
    public void Everything_that_is_exported_is_well_formed()
    {
        TelemetrySources sources = new();
        sources.AddZone("good.test.", ZoneState.Serving);
        sources.Zones
            .Publish(ZoneText.Load("signed.test.", "@ SOA ns.x. h.x. 7 1 1 1 1\n@ NS ns.x.\n@ NSEC @ NS SOA NSEC\n"
            + "@ RRSIG SOA 13 2 300 20300101000000 20200101000000 1 signed.test. AAAA\n"
            + "@ RRSIG NS 13 2 300 20250101000000 20200101000000 1 signed.test. AAAA\n"));
        sources.AddZone("odd\\\"zone.test.", ZoneState.Failed, "no file");
        QueryOrigin origin = new(default, DnsTransport.Tcp, now: 0);
        sources.AnswerTimes.OnAnswer(TelemetrySources.Message(1, 97, 0), ref origin, AnswerOrigin.Stream);
        using ServerMeter meter = new(sources.All, new TelemetryOptions());
        using PrometheusText text = new(meter.Meter);
        string[] lines = TelemetrySources.TextOf(text.Write).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.All(lines, line => Assert.Matches(Line(), line));
        string[] series = [.. lines.Where(line => line[0] != '#').Select(line => line[..line.LastIndexOf(' ')])];
        Assert.Equal(series.Distinct().Count(), series.Length);
        Assert.Contains("dnsd_zone_serial{zone=\"good.test.\"} 7", lines);
        Assert.Contains("dnsd_zone_up{zone=\"odd\\\\\\\"zone.test.\"} 0", lines);
        Assert.Contains("dnsd_zone_signature_expiry{zone=\"signed.test.\"} 1735689600", lines);
        Assert.Contains("dnsd_zones{state=\"failed\"} 1", lines);
        Assert.Contains("dnsd_answer_seconds_count{transport=\"tcp\"} 1", lines);
        Assert.Contains("dnsd_answer_seconds_bucket{transport=\"tcp\",le=\"+Inf\"} 1", lines);
        Assert.Contains("# TYPE dnsd_answer_seconds histogram", lines);
        Assert.Contains("# TYPE dnsd_queries_total counter", lines);
        // Once for each family, its sum and count included.
        string[] families = [.. lines.Where(line => line.StartsWith("# TYPE ", StringComparison.Ordinal))
            .Select(line => line.Split(' ')[2])];
        Assert.Equal(families.Distinct().Count(), families.Length);
        Assert.DoesNotContain("dnsd_answer_seconds_sum", families);
    }

    [Fact]
    public void Forwarded_queries_are_counted_once_by_what_became_of_them()
    {
        string[] lines = Read(new TelemetrySources().All);
        Assert.Contains("dnsd_answers_by_kind_total{kind=\"silence\"} 0", lines);
        Assert.DoesNotContain(lines,
            line => line.StartsWith("dnsd_answers_by_kind_total{kind=\"later\"}", StringComparison.Ordinal));
        Assert.Contains("dnsd_queries_deferred_total 0", lines);
    }

    [Fact]
    public void Queries_and_codes_are_exported_by_zone_client_and_length()
    {
        Dns.Testing.ServedZones served = Dns.Testing.ExampleZones.WithOptions(new Dns.Answering.ResponderOptions());
        served.Ask(Dns.Testing.ExampleZones.Query("www A").WithEdns(1232, true));
        served.Ask(Dns.Testing.ExampleZones.Query("nx A"));
        served.Ask("www.example.net A");
        ServerSources sources = new TelemetrySources().All;
        string[] lines = Read(sources with { Answers = served.Responder.Counters, Published = served.Published });
        string zone = served.Published.Current.Slots.Single(slot => slot.CounterSlot != 0).Name.ToString();
        Assert.Contains($"dnsd_zone_queries_total{{zone=\"{zone}\"}} 2", lines);
        Assert.Contains($"dnsd_zone_answers_total{{zone=\"{zone}\",rcode=\"NOERROR\"}} 1", lines);
        Assert.Contains($"dnsd_zone_answers_total{{zone=\"{zone}\",rcode=\"NXDOMAIN\"}} 1", lines);
        Assert.Contains("dnsd_zone_answers_total{zone=\"none\",rcode=\"REFUSED\"} 1", lines);
        Assert.Contains("dnsd_queries_by_client_total{family=\"ipv4\",edns=\"dnssec_ok\"} 1", lines);
        Assert.Contains("dnsd_queries_by_client_total{family=\"ipv4\",edns=\"none\"} 2", lines);
        Assert.Contains("dnsd_queries_by_client_total{family=\"ipv6\",edns=\"none\"} 0", lines);
        Assert.Contains("dnsd_answer_size_bytes_count{transport=\"udp\"} 3", lines);
        Assert.Contains("dnsd_answer_size_bytes_bucket{transport=\"udp\",le=\"1232\"} 3", lines);
        Assert.Contains("dnsd_answer_size_bytes_bucket{transport=\"udp\",le=\"32768\"} 3", lines);
        Assert.DoesNotContain(lines, line => line.Contains("le=\"65535\"", StringComparison.Ordinal));
    }

    [Fact]
    public void Zones_say_when_they_were_loaded()
    {
        TelemetrySources sources = new();
        sources.AddZone("good.test.", ZoneState.Serving);
        string[] lines = Read(sources.All);
        Assert.Contains(
            $"dnsd_zone_loaded_timestamp_seconds{{zone=\"good.test.\"}} " +
                $"{sources.Clock.GetUtcNow().ToUnixTimeSeconds()}", lines);
    }

    [LinuxFact]
    public void Descriptors_open_and_their_limit_are_exported()
    {
        string[] lines = Read(new TelemetrySources().All);
        long Value(string name) =>
            long.Parse(Assert.Single(lines, line => line.StartsWith(name + " ", StringComparison.Ordinal))
                .Split(' ')[1]);
        Assert.InRange(Value("process_open_fds"), 3, Value("process_max_fds"));
    }

    [Theory]
    [InlineData("Max open files            1024                 524288               files     ", 1024L)]
    [InlineData("Max open files            unlimited            unlimited            files     ", null)]
    [InlineData("Max processes             7                    7                    processes ", null)]
    public void The_soft_limit_of_descriptors_is_read(string line, long? expected) =>
        Assert.Equal(expected, ProcessFacts.ParseMaxDescriptors(["Limit    Soft Limit   Hard Limit   Units", line]));

    private static string[] Read(ServerSources sources)
    {
        using ServerMeter meter = new(sources, new TelemetryOptions());
        using PrometheusText text = new(meter.Meter);
        return TelemetrySources.TextOf(text.Write).Split('\n');
    }

    [Fact]
    public void With_more_zones_than_wanted_only_their_sums_are_exported()
    {
        TelemetrySources sources = new();
        for (int i = 0; i < 3; i++) sources.AddZone($"zone{i}.test.", ZoneState.Serving);
        using ServerMeter meter = new(sources.All, new TelemetryOptions { MaxZones = 2 });
        using PrometheusText text = new(meter.Meter);
        string all = TelemetrySources.TextOf(text.Write);
        Assert.Contains("dnsd_zones{state=\"serving\"} 3", all);
        Assert.DoesNotContain("dnsd_zone_serial", all);
    }

    [Fact]
    public void Buckets_never_fall_and_end_with_the_count()
    {
        TelemetrySources sources = new();
        ClientAddress client = default;
        for (int i = 0; i < 100; i++)
        {
            long began = sources.Clock.GetTimestamp();
            sources.Clock.Advance(i * 0.01);
            QueryOrigin origin = new(in client, DnsTransport.Udp, began);
            sources.AnswerTimes.OnAnswer(TelemetrySources.Message(1, 97, 0), ref origin, AnswerOrigin.Datagram);
        }
        using ServerMeter meter = new(sources.All, new TelemetryOptions());
        using PrometheusText text = new(meter.Meter);
        long[] buckets = [.. TelemetrySources.TextOf(text.Write).Split('\n')
            .Where(line => line.StartsWith("dnsd_answer_seconds_bucket{transport=\"udp\"", StringComparison.Ordinal))
            .Select(line => long.Parse(line[(line.LastIndexOf(' ') + 1)..]))];
        Assert.Equal(TimeClasses.Count, buckets.Length);
        Assert.Equal(buckets.Order(), buckets);
        Assert.Equal(100, buckets[^1]);
    }

    [GeneratedRegex(
        """^(# (HELP|TYPE) [a-z_]+ .+|[a-z][a-z0-9_]*(\{([a-z]+="([^"\\\n]|\\\\|\\"|\\n)*",?)+\})? -?([0-9.]+|\+Inf))$""")]
    private static partial Regex Line();
}
