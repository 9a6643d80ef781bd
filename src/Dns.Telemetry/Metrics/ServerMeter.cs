using System.Diagnostics.Metrics;

namespace Dns.Telemetry.Metrics;

/// <summary>The metrics of the server: those of its sockets, answers and zones, and those of its features.</summary>
public sealed partial class ServerMeter : MetricSet
{
    private readonly ServerSources _sources;

    /// <summary>Makes them.</summary>
    /// <param name="features">Adds the metrics of features.</param>
    public ServerMeter(ServerSources sources, TelemetryOptions options, Action<MetricSet>? features = null)
        : base(sources.Zones, options.MaxZones)
    {
        _sources = sources;
        AddAnswers();
        AddTimes();
        AddDatagrams();
        AddStreams();
        AddRecords();
        AddZones();
        AddProcess();
        features?.Invoke(this);
    }

    private void AddAnswers()
    {
        Counter("dnsd_queries_total", "Messages received, by transport.", () =>
            [Of(_sources.ReadUdp().Received, "transport", "udp"), Of(Tcp.Received, "transport", "tcp")]);
        Counter("dnsd_sent_total", "Responses sent, by transport.", () =>
            [Of(_sources.ReadUdp().Sent, "transport", "udp"), Of(Tcp.Sent, "transport", "tcp")]);
        Counter("dnsd_questions_total", "Well-formed queries, by query type.",
            "type", () => CounterGroups.Types(_sources.Answers.Read()));
        Counter("dnsd_answers_total", "Answers, by transport and RCODE.", AnswersByCode);
        Counter("dnsd_queries_by_client_total", "Messages received, by the family of the client's address and by EDNS.",
            QueriesByClient);
        Counter("dnsd_queries_deferred_total",
            "Queries that waited: forwarded ones, transfers, updates; their responses are counted when sent.",
            () => _sources.Answers.Read().Of(AnswerKind.Later));
        Counter("dnsd_answers_by_kind_total", "Queries, by kind of response.",
            "kind", () => CounterGroups.Kinds(_sources.Answers.Read()));
        Counter("dnsd_answers_truncated_total", "Answers with TC.", () => _sources.Answers.Read().Truncated);
        Counter("dnsd_answers_relayed_total", "Responses with forwarded data, from the cache or from an upstream.",
            () => _sources.Answers.Read().Relayed);
        Histogram(new CountedHistogram("dnsd_answer_size_bytes", "Lengths of answers.", "By",
            [.. AnswerLengths.Upper.SkipLast(1)], () => [LengthsOf(DnsTransport.Udp), LengthsOf(DnsTransport.Tcp)]));
    }

    private IEnumerable<Measurement<long>> AnswersByCode()
    {
        AnswerCounts counts = _sources.Answers.Read();
        foreach (DnsTransport transport in DnsTransport.All.ToArray())
            foreach (NamedCount one in CounterGroups.Rcodes(counts, transport))
                yield return Of(one.Count, "transport", transport.Name, "rcode", one.Name);
    }

    private IEnumerable<Measurement<long>> QueriesByClient()
    {
        AnswerCounts counts = _sources.Answers.Read();
        foreach (bool isIPv4 in (bool[])[true, false])
            foreach (ClientEdns edns in Enum.GetValues<ClientEdns>())
                yield return Of(counts.Of(isIPv4, edns), "family", isIPv4 ? "ipv4" : "ipv6", "edns", NameOf(edns));
    }

    private HistogramSeries LengthsOf(DnsTransport transport) => new("transport", transport.Name, () =>
    {
        AnswerCounts counts = _sources.Answers.Read();
        return new HistogramReading(counts.Lengths(transport), counts.OctetsOf(transport));
    });

    private static string NameOf(ClientEdns edns) => edns switch
    {
        ClientEdns.None => "none",
        ClientEdns.Plain => "plain",
        _ => "dnssec_ok",
    };
}
