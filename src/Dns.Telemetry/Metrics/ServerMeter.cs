using System.Diagnostics.Metrics;

namespace Dns.Telemetry.Metrics;

/// <summary>
/// The metrics of the server: instruments of the meter <c>dnsd</c>, named as Prometheus has them. All of them read
/// counters that exist anyway, and only on a scrape.
/// </summary>
internal sealed partial class ServerMeter : IDisposable
{
    public const string Name = "dnsd";

    private readonly ServerSources _sources;
    private readonly TelemetryOptions _options;
    private readonly List<CountedHistogram> _histograms = [];

    public ServerMeter(ServerSources sources, TelemetryOptions options)
    {
        _sources = sources;
        _options = options;
        AddAnswers();
        AddTimes();
        AddDatagrams();
        AddStreams();
        if (sources.Forwarder is { } forwarder)
        {
            AddForwarding(forwarder);
            AddUpstreams(forwarder);
            AddCache(forwarder.Cache);
        }
        AddProtection();
        AddRecords();
        AddZones();
        AddReplication();
        AddSecondaries(sources.Secondaries);
        AddProcess();
    }

    public Meter Meter { get; } = new(Name);

    /// <summary>The histograms, whose parts are counters of the meter.</summary>
    public IReadOnlyList<CountedHistogram> Histograms => _histograms;

    public void Dispose() => Meter.Dispose();

    private void Counter(string name, string description, Func<long> read) =>
        Meter.CreateObservableCounter(name, read, null, description);

    private void Counter(string name, string description, Func<IEnumerable<Measurement<long>>> read) =>
        Meter.CreateObservableCounter(name, read, null, description);

    private void Counter(string name, string description, string label, Func<IEnumerable<NamedCount>> read) =>
        Counter(name, description, () => read().Select(one => Of(one.Count, label, one.Name)));

    private void Gauge(string name, string description, Func<long> read) =>
        Meter.CreateObservableGauge(name, read, null, description);

    private void Gauge(string name, string description, Func<IEnumerable<Measurement<long>>> read) =>
        Meter.CreateObservableGauge(name, read, null, description);

    private void Histogram(CountedHistogram histogram)
    {
        _histograms.Add(histogram);
        Counter(histogram.BucketName, histogram.Description,
            () => histogram.Series().SelectMany(one => Buckets(histogram, one)));
        Meter.CreateObservableCounter(histogram.SumName, () => histogram.Series().Select(one =>
            new Measurement<double>(one.Read().Sum, one.Labels)), null, histogram.Description);
        Counter(histogram.CountName, histogram.Description, () =>
            histogram.Series().Select(one => new Measurement<long>(one.Read().Classes.Sum(), one.Labels)));
    }

    private static IEnumerable<Measurement<long>> Buckets(CountedHistogram histogram, HistogramSeries series)
    {
        long sum = 0;
        long[] classes = series.Read().Classes;
        for (int i = 0; i < classes.Length; i++)
        {
            double bound = i < histogram.Bounds.Length ? histogram.Bounds[i] : double.PositiveInfinity;
            yield return new Measurement<long>(sum += classes[i],
                [.. series.Labels, new("le", PrometheusText.TextOf(bound))]);
        }
    }

    private static Measurement<long> Of(long value, string label, string content) =>
        new(value, new KeyValuePair<string, object?>(label, content));

    private static Measurement<long> Of(long value, string label, string content, string label2, string content2) =>
        new(value, new KeyValuePair<string, object?>(label, content),
            new KeyValuePair<string, object?>(label2, content2));

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
            "Queries that waited for an upstream; their responses are counted when sent.",
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
