namespace Dns.Telemetry.Metrics;

/// <content>What the sockets count, and how long answers take.</content>
public sealed partial class ServerMeter
{
    private void AddTimes()
    {
        if (_sources.AnswerTimes is not { } answerTimes) return;
        AddTimes("dnsd_answer_seconds", "Time from query to response, without responses that wait for an upstream.",
            new("transport", "udp", () => ReadTimes(answerTimes, AnswerOrigin.Datagram)),
            new("transport", "tcp", () => ReadTimes(answerTimes, AnswerOrigin.Stream)));
        if (_sources.Forwarder is not null)
            AddTimes("dnsd_forwarded_answer_seconds",
                "Time from query to response, for responses that wait for an upstream.",
                new HistogramSeries("", "", () => ReadTimes(answerTimes, AnswerOrigin.Forwarded)));
    }

    private void AddTimes(string name, string description, params HistogramSeries[] series) =>
        Histogram(new CountedHistogram(
            name, description, "s", [.. Enumerable.Range(0, TimeClasses.Count - 1).Select(TimeClasses.UpperSeconds)],
            () => series));

    private static HistogramReading ReadTimes(AnswerTimes answerTimes, AnswerOrigin source)
    {
        TimeCounts counts = answerTimes.Read(source);
        return new HistogramReading(counts.Classes, counts.Nanoseconds / 1e9);
    }

    private void AddDatagrams()
    {
        Histogram(
            new CountedHistogram("dnsd_udp_batch_datagrams", "Datagrams received in one batch.", "{datagram}",
            [.. Enumerable.Range(0, BatchHistogram.Classes - 1).Select(i => (2 << i) - 1.0)],
            () => [new("", "", ReadBatches)]));
        Counter("dnsd_udp_unanswered_total", "Datagrams dropped without a response, by intention.",
            () => _sources.ReadUdp().Unanswered);
        Counter("dnsd_udp_kernel_drops_total", "Datagrams that the kernel dropped because a receive buffer was full.",
            () => _sources.ReadUdp().KernelDrops);
        Counter("dnsd_udp_receive_errors_total", "Receive calls that failed.", () => _sources.ReadUdp().ReceiveErrors);
        Counter("dnsd_udp_send_errors_total", "Answers that the system refused to send.",
            () => _sources.ReadUdp().SendErrors);
        Counter("dnsd_udp_segmented_total", "Datagrams sent in segmented form.", () => _sources.ReadUdp().Segmented);
        Counter("dnsd_udp_segmentation_refused_total", "Times that the system refused segmentation.",
            () => _sources.ReadUdp().SegmentationRefusals);
        Gauge("dnsd_udp_receive_buffer_bytes", "Receive buffer that the kernel granted each socket.",
            () => _sources.ReadUdp().ReceiveBufferBytes);
    }

    private void AddStreams()
    {
        Gauge("dnsd_tcp_connections", "TCP connections open now.", () => Tcp.Open);
        Counter("dnsd_tcp_connections_total", "TCP connections, served or refused at a limit.", "result",
            () => CounterGroups.TcpConnections(Tcp));
        Counter("dnsd_tcp_closed_total",
            "TCP connections closed by the server, by reason: limit, memory or timeout.", "reason",
            () => CounterGroups.TcpClosed(Tcp));
        Gauge("dnsd_tcp_buffer_bytes", "Buffers of waiting TCP connections.", () => Tcp.BufferBytes);
        Counter("dnsd_bad_proxy_headers_total",
            "Datagrams and connections of proxies without a valid PROXY header.",
            () => [Of(_sources.Listeners.BadProxyDatagrams, "transport", "udp"),
                Of(Tcp.BadProxyHeaders, "transport", "tcp")]);
        Counter("dnsd_tcp_undelivered_total", "Responses not sent because their connection had ended.",
            () => Tcp.Undelivered);
        Counter("dnsd_tcp_accept_errors_total", "Accept calls that failed.", () => Tcp.AcceptErrors);
    }

    private HistogramReading ReadBatches()
    {
        UdpCounters udp = _sources.ReadUdp();
        return new HistogramReading([.. Enumerable.Range(0, BatchHistogram.Classes).Select(i => udp.Batches[i])],
            udp.Received);
    }

    private TcpCounters Tcp => _sources.Listeners.ReadTcpCounters();
}
