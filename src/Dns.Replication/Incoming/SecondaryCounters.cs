namespace Dns.Replication.Incoming;

/// <summary>Counters of a secondary. Thread-safe.</summary>
public sealed class SecondaryCounters
{
    private readonly long[] _failures = new long[Enum.GetValues<TransferFailureKind>().Length];
    private long _whole, _incremental, _upToDate, _notifies, _notifiesRefused, _octets, _records;

    /// <summary>Successful transfers of whole zones.</summary>
    public long Whole => Volatile.Read(ref _whole);

    /// <summary>Successful incremental transfers.</summary>
    public long Incremental => Volatile.Read(ref _incremental);

    /// <summary>Refreshes without a newer version.</summary>
    public long UpToDate => Volatile.Read(ref _upToDate);

    /// <summary>NOTIFY messages accepted.</summary>
    public long Notifies => Volatile.Read(ref _notifies);

    /// <summary>NOTIFY messages refused.</summary>
    public long NotifiesRefused => Volatile.Read(ref _notifiesRefused);

    /// <summary>Octets of successful transfers.</summary>
    public long Octets => Volatile.Read(ref _octets);

    /// <summary>Records of successful transfers.</summary>
    public long Records => Volatile.Read(ref _records);

    /// <summary>Failed transfers and serial queries by kind.</summary>
    public long Failed(TransferFailureKind kind) => Volatile.Read(ref _failures[(int)kind]);

    internal void Count(TransferFailureKind kind) => Interlocked.Increment(ref _failures[(int)kind]);

    internal void CountUpToDate() => Interlocked.Increment(ref _upToDate);

    internal void CountNotify(bool isTaken) =>
        Interlocked.Increment(ref isTaken ? ref _notifies : ref _notifiesRefused);

    internal void CountTransfer(TransferReader reader)
    {
        Interlocked.Increment(ref reader.IsIncremental ? ref _incremental : ref _whole);
        Interlocked.Add(ref _octets, reader.Octets);
        Interlocked.Add(ref _records, reader.Records);
    }
}
