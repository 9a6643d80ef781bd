using System.Net;
using System.Text.Json;
using Dns.Answering;
using Dns.Protocol;
using Dns.Transport;

namespace Dns.Server;

/// <summary>The state of the server as JSON: what the status page shows.</summary>
internal sealed partial class StatusReport(
    ServerSources sources, History history, RecentErrors errors, LiveResponder responder, TimeProvider clock)
{
    private const int MostZones = 500;
    private const int MostTop = 20;

    // By timestamps: a clock that is set does not change how long the server has been up.
    private readonly long _started = clock.GetTimestamp();

    /// <summary>Writes it.</summary>
    public void Write(Utf8JsonWriter json)
    {
        DateTimeOffset now = clock.GetUtcNow();
        json.WriteStartObject();
        json.WriteString("version", ProgramVersion.Full);
        json.WriteString("identity", responder.Current.Options.Identity);
        json.WriteString("now", now);
        json.WriteNumber("uptimeSeconds", (long)clock.GetElapsedTime(_started).TotalSeconds);
        json.WriteStartArray("listen");
        foreach (IPEndPoint endPoint in sources.Listeners.EndPoints) json.WriteStringValue(endPoint.ToString());
        json.WriteEndArray();
        WriteAnswers(json);
        WriteHistory(json);
        WriteZones(json);
        if (sources.Forwarder is { } forwarder) WriteForwarding(json, forwarder);
        WriteTop(json, "names", sources.Watch?.Top.ReadNames(MostTop) ?? []);
        WriteTop(json, "clients", sources.Watch?.Top.ReadClients(MostTop) ?? []);
        WriteErrors(json);
        json.WriteStartObject("process");
        json.WriteNumber("residentBytes", Environment.WorkingSet);
        json.WriteNumber("cpuSeconds", Math.Round(Environment.CpuUsage.TotalTime.TotalSeconds, 2));
        json.WriteNumber("threads", ProcessFacts.ReadThreads());
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private void WriteAnswers(Utf8JsonWriter json)
    {
        AnswerTally tally = sources.Answers.Read();
        UdpCounters udp = sources.ReadUdp();
        TcpCounters tcp = sources.Listeners.ReadTcpCounters();
        json.WriteStartObject("queries");
        json.WriteNumber("udp", udp.Received);
        json.WriteNumber("tcp", tcp.Received);
        json.WriteNumber("tcpConnections", tcp.Open);
        json.WriteNumber("kernelDrops", udp.KernelDrops);
        json.WriteNumber("truncated", tally.Truncated);
        json.WriteNumber("octets", tally.Octets);
        json.WriteEndObject();
        json.WriteStartObject("rcodes");
        for (int code = 0; code < AnswerTally.Codes; code++)
        {
            long count = tally.Answers(ResponseTransport.Datagram, (Rcode)code) + tally.Answers(ResponseTransport.Stream, (Rcode)code);
            if (count > 0) json.WriteNumber(RcodeText.Format((Rcode)code), count);
        }
        json.WriteEndObject();
        json.WriteStartObject("types");
        foreach ((string type, long count) in ServerMeter.CountedTypes(tally)) json.WriteNumber(type, count);
        json.WriteEndObject();
    }

    private void WriteHistory(Utf8JsonWriter json)
    {
        IReadOnlyList<HistoryStep> steps = history.Read();
        json.WriteStartObject("history");
        json.WriteNumber("stepSeconds", (int)History.Step.TotalSeconds);
        json.WriteNumber("steps", History.Steps);
        WriteSeries(json, "queries", steps, step => step.Queries);
        WriteSeries(json, "nameErrors", steps, step => step.NameErrors);
        WriteSeries(json, "failures", steps, step => step.Failures);
        WriteSeries(json, "medianMicroseconds", steps, step => Math.Round(step.MedianSeconds * 1e6, 1));
        WriteSeries(json, "slowMicroseconds", steps, step => Math.Round(step.SlowSeconds * 1e6, 1));
        json.WriteEndObject();
    }

    private static void WriteSeries(
        Utf8JsonWriter json, string name, IReadOnlyList<HistoryStep> steps, Func<HistoryStep, double> read)
    {
        json.WriteStartArray(name);
        foreach (HistoryStep step in steps) json.WriteNumberValue(read(step));
        json.WriteEndArray();
    }

    private void WriteErrors(Utf8JsonWriter json)
    {
        json.WriteStartArray("errors");
        foreach (LogLine line in errors.Read())
        {
            json.WriteStartObject();
            json.WriteString("at", line.At);
            json.WriteString("level", line.Level.ToString().ToLowerInvariant());
            json.WriteString("event", line.Event);
            json.WriteString("text", line.Text);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }
}
