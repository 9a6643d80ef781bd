namespace Dns.Transport;

/// <summary>
/// What the UDP loops of one address have done since they started. A copy; the counts only rise.
/// </summary>
public readonly record struct UdpCounters
{
    /// <summary>Datagrams received, those included that got no answer.</summary>
    public long Received { get; init; }

    /// <summary>Answers handed to the system.</summary>
    public long Sent { get; init; }

    /// <summary>
    /// Datagrams without an answer: source port 0, our own address as the source, or the responder's will.
    /// </summary>
    public long Unanswered { get; init; }

    /// <summary>Failed receive calls; the loops go on.</summary>
    public long ReceiveErrors { get; init; }

    /// <summary>Answers that the system refused to send.</summary>
    public long SendErrors { get; init; }

    /// <summary>Exceptions of the responder, which promises to throw none.</summary>
    public long Faults { get; init; }

    /// <summary>
    /// Datagrams that the kernel dropped because a receive buffer was full. Linux only, elsewhere 0.
    /// </summary>
    public long KernelDrops { get; init; }

    /// <summary>Datagrams sent in segmented form (UDP_SEGMENT), part of <see cref="Sent"/>.</summary>
    public long Segmented { get; init; }

    /// <summary>Times that the kernel refused segmentation; the loop tries it again after a number of batches.</summary>
    public long SegmentationRefusals { get; init; }

    /// <summary>
    /// Batches received with 1, 2 to 3, 4 to 7, 8 to 15, 16 to 31, 32 to 63 and 64 datagrams.
    /// </summary>
    public BatchHistogram Batches { get; init; }

    /// <summary>Bytes of receive buffer that the kernel granted each socket, in its own accounting.</summary>
    public int ReceiveBufferBytes { get; init; }

    /// <summary>The sum of two, for a total over addresses.</summary>
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
