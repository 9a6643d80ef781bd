namespace Dns.Replication.Incoming;

/// <summary>Receives the events of a secondary, for the log. Thread-safe; must neither throw nor wait.</summary>
public interface ISecondaryObserver
{
    /// <summary>A new version is served.</summary>
    void OnTransferred(TransferReport report);

    /// <summary>No primary was usable; reported once per reason until a refresh succeeds or after an hour.</summary>
    /// <param name="primary">The last primary.</param>
    /// <param name="servedSerial">The serial that is still served; null = none.</param>
    void OnFailed(DomainName zone, PeerAddress primary, TransferFailure failure, uint? servedSerial);

    /// <summary>A primary has answered again after reported failures.</summary>
    void OnRecovered(DomainName zone, uint serial);

    /// <summary>A zone has expired.</summary>
    void OnExpired(DomainName zone, uint serial);

    /// <summary>The stored copy of a zone is damaged, in whole or in part.</summary>
    /// <param name="servedSerial">The serial that could still be read; null = the zone is transferred again.</param>
    void OnCopyBroken(DomainName zone, string problem, uint? servedSerial);

    /// <summary>A NOTIFY was refused. Rate-limited.</summary>
    void OnNotifyRefused(DomainName zone, ClientAddress client, string reason);

    /// <summary>An internal error in the work for a zone; its next refresh is scheduled.</summary>
    void OnFault(DomainName zone, Exception error);
}
