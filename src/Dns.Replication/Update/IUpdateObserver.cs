namespace Dns.Replication.Update;

/// <summary>Receives events of updates and journals. Thread-safe; must not throw.</summary>
public interface IUpdateObserver
{
    /// <summary>A zone has changed.</summary>
    void OnApplied(DomainName zone, ZoneAuthor author, int removed, int added, uint serial);

    /// <summary>A message was refused. Rate-limited to a few in a minute.</summary>
    /// <param name="author">With the verified TSIG key.</param>
    void OnRefused(DomainName zone, ZoneAuthor author, ZoneWriteFault reason);

    /// <summary>Updates could not be written to disk and were answered with SERVFAIL.</summary>
    void OnFailed(DomainName zone, string reason);

    /// <summary>A journal is not compacted, since there is not enough memory.</summary>
    /// <param name="octets">Its length.</param>
    void OnNotCompacted(DomainName zone, long octets);

    /// <summary>The end of a journal could not be read, and is removed by the next change.</summary>
    void OnLoss(DomainName zone, string path, JournalLoss loss);

    /// <summary>The file of a zone is not the version that the changes in its journal start from.</summary>
    void OnConflict(DomainName zone, FileConflict conflict);

    /// <summary>An internal error while a zone was changed; its update was answered with SERVFAIL.</summary>
    void OnCrash(DomainName zone, Exception error);
}
