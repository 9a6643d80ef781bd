using System.Net;
using Dns.Testing;

namespace Dns.Telemetry.Tests;

public class OtlpHistogramsTests
{
    [Fact]
    public void Times_are_histograms_with_bounds_that_add_up()
    {
        TelemetrySources sources = new();
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.1:53"));
        foreach (double milliseconds in new[] { 1.0, 1, 500, 20_000 })
        {
            long began = sources.Clock.GetTimestamp();
            sources.Clock.Advance(milliseconds);
            QueryOrigin origin = new(in client, DnsTransport.Udp, began);
            sources.AnswerTimes.OnAnswer(TelemetrySources.Message(1, 97, 0), ref origin, AnswerOrigin.Datagram);
        }
        using ServerMeter meter = new(sources.All, new TelemetryOptions());
        byte[] request = new OtlpHistograms(
            meter.Histograms, [new("service.name", "dnsd")],
            sources.Clock.GetUtcNow()).Write(sources.Clock.GetUtcNow());
        Assert.Equal(["service.name=dnsd"], OtlpReading.Resources(request));
        Assert.Equal(
            [
                "dnsd_answer_seconds", "dnsd_answer_size_bytes", "dnsd_udp_batch_datagrams",
                "dnsd_forwarded_answer_seconds",
            ],
            OtlpReading.Metrics(request).Select(metric => metric.Name).OrderBy(name => name.Length));
        // AGGREGATION_TEMPORALITY_CUMULATIVE: otherwise a receiver would add up sums.
        Assert.All(OtlpReading.Temporalities(request), temporality => Assert.Equal(2ul, temporality));
        OtlpReading.Point[] points = OtlpReading.Metrics(request)
            .Single(metric => metric.Name == "dnsd_answer_seconds").Histogram;
        Assert.Equal(["transport=udp", "transport=tcp"], points.Select(point => point.Labels));
        OtlpReading.Point udp = points[0];
        Assert.Equal((4ul, 20.502), (udp.Count, Math.Round(udp.Sum, 6)));
        Assert.Equal((TimeClasses.Count, TimeClasses.Count - 1), (udp.Buckets.Length, udp.Bounds.Length));
        Assert.Equal(udp.Bounds.Order(), udp.Bounds);
        Assert.Equal(2ul, udp.Buckets[Array.FindIndex(udp.Bounds, bound => bound >= 0.001)]);
        Assert.Equal(1ul, udp.Buckets[^1]);
    }
}
