using System.Diagnostics;
using System.Net;
using Dns.Protocol;

namespace Dns.Server;

/// <summary>
/// Makes a span of a sample of the queries that another server was asked for, when they have their answer: on the thread
/// that brings it, so that a lane never does. What is not sampled costs a comparison.
/// </summary>
internal sealed class TraceTap : IAnswerTap, IDisposable
{
    /// <summary>The name of the source of the spans.</summary>
    public const string SourceName = "dnsd";

    private readonly ActivitySource _source = new(SourceName, ProgramVersion.Text);
    private readonly SampleShare _share;
    private readonly TimeProvider _clock;

    /// <summary>Traces a share of 0 to 1.</summary>
    public TraceTap(double share, TimeProvider clock) => (_share, _clock) = (new SampleShare(share), clock);

    /// <inheritdoc/>
    public void OnAnswer(ReadOnlySpan<byte> answer, ref ClientAddress client, in AnswerFacts facts)
    {
        if (facts.Way != AnswerWay.Forwarded || answer.Length < MessageHeader.LengthOctets || !_share.Takes(answer, facts.Ended)) return;
        DateTimeOffset ended = _clock.GetUtcNow();
        using Activity? span = _source.StartActivity(
            "forward", ActivityKind.Server, default(ActivityContext), startTime: ended - _clock.GetElapsedTime(facts.Began, facts.Ended));
        if (span is null) return;
        IPEndPoint address = client.ToEndPoint();
        Rcode rcode = (Rcode)(MessageHeader.Flags(answer) & MessageHeader.RcodeMask);
        AnswerText.ReadQuestion(answer, out string name, out string type, out _);
        span.SetTag("dns.question.name", name);
        span.SetTag("dns.question.type", type);
        span.SetTag("dns.response.code", RcodeText.Format(rcode));
        span.SetTag("client.address", address.Address.ToString());
        span.SetTag("network.transport", facts.IsStream ? "tcp" : "udp");
        if (rcode == Rcode.ServFail) span.SetStatus(ActivityStatusCode.Error);
        span.SetEndTime(ended.UtcDateTime);
    }

    /// <inheritdoc/>
    public void Dispose() => _source.Dispose();
}
