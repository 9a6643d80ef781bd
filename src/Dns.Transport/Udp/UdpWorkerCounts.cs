namespace Dns.Transport.Udp;

/// <summary>Counters of one receive loop, their only writer; readers get a copy.</summary>
internal struct UdpWorkerCounts
{
    public long Received;
    public long Sent;
    public long Unanswered;
    public long ReceiveErrors;
    public long SendErrors;
    public long Faults;
    public long Segmented;
    public long SegmentationRefusals;
    public BatchHistogram Batches;

    public readonly UdpCounters ToCounters() => new()
    {
        Received = Received,
        Sent = Sent,
        Unanswered = Unanswered,
        ReceiveErrors = ReceiveErrors,
        SendErrors = SendErrors,
        Faults = Faults,
        Segmented = Segmented,
        SegmentationRefusals = SegmentationRefusals,
        Batches = Batches,
    };
}
