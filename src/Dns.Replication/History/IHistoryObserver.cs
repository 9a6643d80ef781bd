namespace Dns.Replication.History;

/// <summary>Receives faults of a <see cref="StoredHistory"/>. Thread-safe; must not throw.</summary>
public interface IHistoryObserver
{
    /// <summary>Stored versions cannot be read; intact ones before the damage are used.</summary>
    /// <param name="problem">The file, and what is wrong with it.</param>
    void OnHistoryBroken(DomainName zone, string problem);

    /// <summary>A version could not be stored; the next one is tried.</summary>
    void OnHistoryNotStored(DomainName zone, string reason);
}
