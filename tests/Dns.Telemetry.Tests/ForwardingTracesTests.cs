using System.Diagnostics;
using System.Net;
using Dns.Testing;

namespace Dns.Telemetry.Tests;

public sealed class ForwardingTracesTests : IDisposable
{
    private readonly List<Activity> _spans = [];
    private readonly ActivityListener _listener;
    private readonly VirtualClock _clock = new();

    public ForwardingTracesTests()
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == ForwardingTraces.SourceName,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = _spans.Add,
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public void Dispose() => _listener.Dispose();

    [Fact]
    public void Each_sending_is_a_span_below_that_of_the_query()
    {
        Answer(1,
            new(IPEndPoint.Parse("192.0.2.53:53"), DnsTransport.Udp, TimeSpan.FromMilliseconds(900),
                TimeSpan.FromMilliseconds(500), TryOutcome.TimedOut),
            new(IPEndPoint.Parse("[2001:db8::53]:5353"), DnsTransport.Tcp, TimeSpan.FromMilliseconds(500),
                TimeSpan.Zero, TryOutcome.Answered));
        Activity query = _spans[^1];
        Assert.Equal(("forward", "a."), (query.DisplayName, query.GetTagItem("dns.question.name")));
        Assert.Equal(TimeSpan.FromSeconds(1), query.Duration);
        Assert.Equal(3, _spans.Count);
        Assert.All(_spans[..2], span => Assert.Equal(("ask", query.SpanId), (span.DisplayName, span.ParentSpanId)));
        Assert.Equal(
            ["192.0.2.53 53 udp timed_out Error 400", "2001:db8::53 5353 tcp answered Unset 500"],
            _spans[..2].Select(span => string.Join(' ',
                new[] { "server.address", "server.port", "network.transport", "dns.outcome" }.Select(span.GetTagItem)
                    .Append(span.Status).Append((int)span.Duration.TotalMilliseconds))));
    }

    [Fact]
    public void What_is_not_sampled_has_no_span()
    {
        Answer(0,
            new TryReport(IPEndPoint.Parse("192.0.2.53:53"), DnsTransport.Udp, default, default, TryOutcome.Answered));
        Assert.Empty(_spans);
    }

    [Theory]
    [InlineData(Rcode.NoError, ActivityStatusCode.Unset)]
    [InlineData(Rcode.NXDomain, ActivityStatusCode.Unset)]
    [InlineData(Rcode.ServFail, ActivityStatusCode.Error)]
    public void A_query_without_an_answer_is_an_error(Rcode rcode, ActivityStatusCode status)
    {
        _rcode = rcode;
        Answer(1);
        Assert.Equal(status, Assert.Single(_spans).Status);
    }

    private Rcode _rcode;

    private void Answer(double share, params TryReport[] tries)
    {
        byte[] message = TelemetrySources.Message(1, 97, 0);
        message[3] |= (byte)_rcode;
        using ForwardingTraces traces = new(share, _clock);
        long began = _clock.GetTimestamp();
        _clock.Advance(1000);
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("198.51.100.1:5300"));
        AnswerFacts facts = new(AnswerOrigin.Forwarded, DnsTransport.Udp, began, _clock.GetTimestamp());
        traces.OnAnswer(message, ref client, in facts, tries);
    }
}
