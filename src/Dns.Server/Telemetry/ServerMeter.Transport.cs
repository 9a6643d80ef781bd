using System.Diagnostics.Metrics;
using Dns.Transport;

namespace Dns.Server;

/// <content>What the sockets count, and how long answers take.</content>
internal sealed partial class ServerMeter
{
    private void AddTimes()
    {
        if (_sources.Watch is not { } watch) return;
        AddHistogram("dnsd_answer_seconds", "From the receipt of a query to its answer, for answers that wait for nobody.",
            [("udp", () => watch.Read(AnswerWay.Datagram)), ("tcp", () => watch.Read(AnswerWay.Stream))]);
        if (_sources.Forwarder is not null)
            AddHistogram("dnsd_forwarded_answer_seconds",
                "From the receipt of a query to its answer, where another server had to be asked.",
                [("", () => watch.Read(AnswerWay.Forwarded))]);
    }

    private void AddHistogram(string name, string description, (string Transport, Func<TimeCounts> Read)[] series)
    {
        Counter(name + "_bucket", description, () => series.SelectMany(one => Buckets(one.Read(), one.Transport)));
        Meter.CreateObservableCounter(name + "_sum", () => series.Select(one =>
            new Measurement<double>(one.Read().Nanoseconds / 1e9, LabelsOf(one.Transport))), null, description);
        Counter(name + "_count", description, () =>
            series.Select(one => new Measurement<long>(one.Read().Total, LabelsOf(one.Transport))));
    }

    private static IEnumerable<Measurement<long>> Buckets(TimeCounts counts, string transport)
    {
        long sum = 0;
        for (int i = 0; i < TimeClasses.Count; i++)
        {
            sum += counts.Classes[i];
            yield return new Measurement<long>(
                sum, [.. LabelsOf(transport), new("le", PrometheusText.TextOf(TimeClasses.UpperSeconds(i)))]);
        }
    }

    private static KeyValuePair<string, object?>[] LabelsOf(string transport) =>
        transport.Length == 0 ? [] : [new("transport", transport)];

    private void AddDatagrams()
    {
        Counter("dnsd_udp_batch_datagrams_bucket", "Datagrams that were received together.", () =>
        {
            BatchHistogram batches = _sources.ReadUdp().Batches;
            long sum = 0;
            List<Measurement<long>> buckets = [];
            for (int i = 0; i < BatchHistogram.Classes; i++)
                buckets.Add(Of(sum += batches[i], "le", i == BatchHistogram.Classes - 1 ? "+Inf" : $"{(2 << i) - 1}"));
            return buckets;
        });
        Counter("dnsd_udp_batch_datagrams_sum", "Datagrams received.", () => _sources.ReadUdp().Received);
        Counter("dnsd_udp_batch_datagrams_count", "Batches received.", () =>
        {
            BatchHistogram batches = _sources.ReadUdp().Batches;
            return Enumerable.Range(0, BatchHistogram.Classes).Sum(i => batches[i]);
        });
        Counter("dnsd_udp_unanswered_total", "Datagrams without an answer, by intention.", () => _sources.ReadUdp().Unanswered);
        Counter("dnsd_udp_kernel_drops_total", "Datagrams that the kernel dropped because a receive buffer was full.",
            () => _sources.ReadUdp().KernelDrops);
        Counter("dnsd_udp_receive_errors_total", "Receive calls that failed.", () => _sources.ReadUdp().ReceiveErrors);
        Counter("dnsd_udp_send_errors_total", "Answers that the system refused to send.", () => _sources.ReadUdp().SendErrors);
        Counter("dnsd_udp_segmented_total", "Datagrams sent in segmented form.", () => _sources.ReadUdp().Segmented);
        Counter("dnsd_udp_segmentation_refused_total", "Threads that gave segmentation up because the system refused it.",
            () => _sources.ReadUdp().SegmentationRefusals);
        Gauge("dnsd_udp_receive_buffer_bytes", "Receive buffer that the kernel granted each socket.",
            () => _sources.ReadUdp().ReceiveBufferBytes);
    }

    private void AddStreams()
    {
        Gauge("dnsd_tcp_connections", "TCP connections open now.", () => Tcp.Open);
        Counter("dnsd_tcp_connections_total", "TCP connections, served or refused at a limit.", () =>
            [Of(Tcp.Accepted, "result", "accepted"), Of(Tcp.Refused, "result", "refused")]);
        Counter("dnsd_tcp_closed_total", "TCP connections closed to make room or by a time-out.", () =>
            [Of(Tcp.Evicted, "reason", "room"), Of(Tcp.TimedOut, "reason", "timeout")]);
        Counter("dnsd_tcp_bad_proxy_headers_total", "Connections of proxies that began with something else than a good header.",
            () => Tcp.BadProxyHeaders);
        Counter("dnsd_tcp_undelivered_total", "Answers that came later than the end of their connection.", () => Tcp.Undelivered);
        Counter("dnsd_tcp_accept_errors_total", "Accept calls that failed.", () => Tcp.AcceptErrors);
        Counter("dnsd_faults_total", "Faults of this program while it answered; a message each was lost.", () =>
            [Of(_sources.ReadUdp().Faults, "transport", "udp"), Of(Tcp.Faults, "transport", "tcp")]);
    }

    private TcpCounters Tcp => _sources.Listeners.ReadTcpCounters();
}
