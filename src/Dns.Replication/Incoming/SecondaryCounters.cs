namespace Dns.Replication;

/// <summary>What a secondary has counted since its start. Thread-safe.</summary>
public sealed class SecondaryCounters
{
    private readonly long[] _failures = new long[Enum.GetValues<TransferFailureKind>().Length];
    private long _whole, _incremental, _upToDate, _notifies, _notifiesRefused, _octets, _records;

    /// <summary>Transfers of whole zones that are served.</summary>
    public long Whole => Volatile.Read(ref _whole);

    /// <summary>Transfers of differences that are served.</summary>
    public long Incremental => Volatile.Read(ref _incremental);

    /// <summary>Refreshes that found nothing newer.</summary>
    public long UpToDate => Volatile.Read(ref _upToDate);

    /// <summary>NOTIFY messages that were taken.</summary>
    public long Notifies => Volatile.Read(ref _notifies);

    /// <summary>NOTIFY messages that were not allowed.</summary>
    public long NotifiesRefused => Volatile.Read(ref _notifiesRefused);

    /// <summary>Octets of transfers that are served.</summary>
    public long Octets => Volatile.Read(ref _octets);

    /// <summary>Records of transfers that are served.</summary>
    public long Records => Volatile.Read(ref _records);

    /// <summary>Transfers, and queries for the serial, that failed in one way.</summary>
    public long Failed(TransferFailureKind kind) => Volatile.Read(ref _failures[(int)kind]);

    internal void Count(TransferFailureKind kind) => Interlocked.Increment(ref _failures[(int)kind]);

    internal void CountUpToDate() => Interlocked.Increment(ref _upToDate);

    internal void CountNotify(bool isTaken) => Interlocked.Increment(ref isTaken ? ref _notifies : ref _notifiesRefused);

    internal void CountTransfer(TransferReader reader)
    {
        Interlocked.Increment(ref reader.IsIncremental ? ref _incremental : ref _whole);
        Interlocked.Add(ref _octets, reader.Octets);
        Interlocked.Add(ref _records, reader.Records);
    }
}
