namespace Dns.Transport.Udp;

/// <summary>Counters of the UDP loops of one address. A copy; monotonic.</summary>
public readonly record struct UdpCounters
{
    /// <summary>Datagrams received, with or without an answer.</summary>
    public long Received { get; init; }

    /// <summary>Answers accepted by the system.</summary>
    public long Sent { get; init; }

    /// <summary>Datagrams without an answer: source port 0, our own address, or the responder's decision.</summary>
    public long Unanswered { get; init; }

    /// <summary>Failed receive calls; the loops continue.</summary>
    public long ReceiveErrors { get; init; }

    /// <summary>Answers that the system refused to send.</summary>
    public long SendErrors { get; init; }

    /// <summary>Exceptions of the responder.</summary>
    public long Faults { get; init; }

    /// <summary>Datagrams dropped by the kernel because a receive buffer was full. Linux only, elsewhere 0.</summary>
    public long KernelDrops { get; init; }

    /// <summary>Datagrams sent in segmented form (UDP_SEGMENT), part of <see cref="Sent"/>.</summary>
    public long Segmented { get; init; }

    /// <summary>Refusals of segmentation by the kernel; the loop retries after a number of batches.</summary>
    public long SegmentationRefusals { get; init; }

    /// <summary>The batch sizes.</summary>
    public BatchHistogram Batches { get; init; }

    /// <summary>Receive buffer granted to each socket in bytes, in the kernel's accounting.</summary>
    public int ReceiveBufferBytes { get; init; }

    /// <summary>The sum, for a total over addresses.</summary>
    public static UdpCounters operator +(in UdpCounters left, in UdpCounters right) => new()
    {
        Received = left.Received + right.Received,
        Sent = left.Sent + right.Sent,
        Unanswered = left.Unanswered + right.Unanswered,
        ReceiveErrors = left.ReceiveErrors + right.ReceiveErrors,
        SendErrors = left.SendErrors + right.SendErrors,
        Faults = left.Faults + right.Faults,
        KernelDrops = left.KernelDrops + right.KernelDrops,
        Segmented = left.Segmented + right.Segmented,
        SegmentationRefusals = left.SegmentationRefusals + right.SegmentationRefusals,
        Batches = left.Batches + right.Batches,
        ReceiveBufferBytes = Math.Max(left.ReceiveBufferBytes, right.ReceiveBufferBytes),
    };
}
