using System.Diagnostics;

namespace Dns.Bench;

/// <summary>Queries for names of a zone at a steady rate, answered in memory by the responder.</summary>
/// <remarks>A latency counts from the due time of the query, so a delay affects the following ones too.</remarks>
internal sealed class PacedQuestions
{
    private const int Different = 1 << 16;
    private const int SlotOctets = 1280;

    private readonly QuerySet _queries;
    private readonly Responder _responder;
    private readonly int _perSecond;

    internal PacedQuestions(EditedZone zone, int perSecond)
    {
        int names = zone.Current.NameCount - 2;
        Random random = new(1);
        Question[] questions = [.. Enumerable.Range(0, Different).Select(_ =>
            new Question($"{ZoneText.Label(random.Next(names))}.{ZoneText.Apex}", RRType.A, Expectation.Positive))];
        _queries = new QuerySet(questions, edns: true, dnssecOk: false);
        _responder = BenchZone.Responder(zone.Slot);
        _perSecond = perSecond;
    }

    /// <summary>Asks for some time.</summary>
    /// <returns>The latencies, and the number of wrong answers.</returns>
    internal (LatencyHistogram Times, long Wrong) Run(int seconds)
    {
        LatencyHistogram times = new();
        byte[] slot = new byte[SlotOctets];
        QueryOrigin origin = new(BenchZone.Client(), DnsTransport.Udp, now: 0);
        long wrong = 0, began = Stopwatch.GetTimestamp(), count = (long)seconds * _perSecond;
        for (long i = 0; i < count; i++)
        {
            long due = began + (long)(i * (double)Stopwatch.Frequency / _perSecond);
            while (Stopwatch.GetTimestamp() < due) Thread.SpinWait(1);
            ReadOnlySpan<byte> query = _queries[(int)(i % Different)];
            query.CopyTo(slot);
            int octets = _responder.Respond(slot, query.Length, ref origin);
            if (!_queries.IsExpected((int)(i % Different), slot.AsSpan(0, octets))) wrong++;
            times.Add((long)Stopwatch.GetElapsedTime(due).TotalNanoseconds);
        }
        return (times, wrong);
    }
}
