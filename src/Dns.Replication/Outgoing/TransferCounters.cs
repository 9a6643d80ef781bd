namespace Dns.Replication.Outgoing;

/// <summary>Counters of outgoing transfers. Thread-safe.</summary>
public sealed class TransferCounters
{
    private static readonly int Outcomes = Enum.GetValues<TransferOutcome>().Length;

    private readonly long[] _ended = new long[Enum.GetValues<TransferKind>().Length * Outcomes];
    private readonly long[] _refused = new long[Enum.GetValues<TransferRefusal>().Length];
    private long _octets;

    /// <summary>Octets of messages, running transfers included.</summary>
    public long Octets => Volatile.Read(ref _octets);

    /// <summary>Ended transfers by kind and outcome.</summary>
    public long Ended(TransferKind kind, TransferOutcome outcome) =>
        Volatile.Read(ref _ended[(int)kind * Outcomes + (int)outcome]);

    /// <summary>Refused queries by reason.</summary>
    public long Refused(TransferRefusal reason) => Volatile.Read(ref _refused[(int)reason]);

    internal void CountOctets(int octets) => Interlocked.Add(ref _octets, octets);

    internal void CountEnded(TransferKind kind, TransferOutcome outcome) =>
        Interlocked.Increment(ref _ended[(int)kind * Outcomes + (int)outcome]);

    internal void CountRefused(TransferRefusal reason) => Interlocked.Increment(ref _refused[(int)reason]);
}
