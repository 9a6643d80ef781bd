using System.Diagnostics;

namespace Dns.Telemetry.Otlp;

/// <summary>
/// Makes spans of a sample of forwarded queries when their answer comes, on the thread that receives it and never on a
/// worker. Each upstream query is a child span. What is not sampled costs a comparison.
/// </summary>
public sealed class ForwardingTraces : IDisposable
{
    public const string SourceName = "dnsd";

    private readonly ActivitySource _source = new(SourceName, ProgramVersion.Text);
    private readonly SampleShare _share;
    private readonly TimeProvider _clock;

    /// <summary>Traces a share of 0 to 1.</summary>
    public ForwardingTraces(double share, TimeProvider clock) => (_share, _clock) = (new SampleShare(share), clock);

    /// <summary>Sees the answer to a query that waited.</summary>
    /// <param name="answer">The message; the caller's again on return.</param>
    public void OnAnswer(ReadOnlySpan<byte> answer, ref ClientAddress client, in AnswerFacts facts,
        ReadOnlySpan<TryReport> tries)
    {
        if (answer.Length < MessageHeader.LengthOctets || !_share.Takes(answer, facts.Ended)) return;
        DateTimeOffset ended = _clock.GetUtcNow();
        using Activity? span = _source.StartActivity(
            "forward", ActivityKind.Server, default(ActivityContext),
            startTime: ended - _clock.GetElapsedTime(facts.Began, facts.Ended));
        if (span is null) return;
        IPEndPoint address = client.ToEndPoint();
        Rcode rcode = (Rcode)(MessageHeader.Flags(answer) & MessageHeader.RcodeMask);
        AnswerText.ReadQuestion(answer, out string name, out string type, out _);
        span.SetTag("dns.question.name", name);
        span.SetTag("dns.question.type", type);
        span.SetTag("dns.response.code", RcodeText.Format(rcode));
        span.SetTag("client.address", address.Address.ToString());
        span.SetTag("network.transport", facts.Transport.Name);
        if (rcode == Rcode.ServFail) span.SetStatus(ActivityStatusCode.Error);
        foreach (ref readonly TryReport report in tries) AddTry(in report, span, ended);
        span.SetEndTime(ended.UtcDateTime);
    }

    public void Dispose() => _source.Dispose();

    private void AddTry(in TryReport report, Activity parent, DateTimeOffset now)
    {
        using Activity? span =
            _source.StartActivity("ask", ActivityKind.Client, parent.Context, startTime: now - report.SentAgo);
        if (span is null) return;
        span.SetTag("server.address", report.Upstream.Address.ToString());
        span.SetTag("server.port", report.Upstream.Port);
        span.SetTag("network.transport", report.Transport.Name);
        span.SetTag("dns.outcome", NameOf(report.Outcome));
        if (report.Outcome is not (TryOutcome.Answered or TryOutcome.Pending)) span.SetStatus(ActivityStatusCode.Error);
        span.SetEndTime((now - report.EndedAgo).UtcDateTime);
    }

    private static string NameOf(TryOutcome outcome) => outcome switch
    {
        TryOutcome.TimedOut => "timed_out",
        TryOutcome.NetworkError => "network_error",
        TryOutcome.FormatError => "format_error",
        TryOutcome.BadCookie => "bad_cookie",
        _ => outcome.ToString().ToLowerInvariant(),
    };
}
