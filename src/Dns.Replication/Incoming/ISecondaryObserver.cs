using Dns.Protocol;

namespace Dns.Replication;

/// <summary>Told what a secondary does, for the log. Called by several threads at once; must neither throw nor wait.</summary>
public interface ISecondaryObserver
{
    /// <summary>A new version is served.</summary>
    void OnTransferred(TransferReport report);

    /// <summary>
    /// No primary of a zone could be used. Told once for a reason, until it is another, or it has gone well in between, or an hour has
    /// gone.
    /// </summary>
    /// <param name="zone">The zone.</param>
    /// <param name="primary">The primary asked last.</param>
    /// <param name="failure">Why.</param>
    /// <param name="servedSerial">The serial that is served on; null = none.</param>
    void OnFailed(DomainName zone, PeerAddress primary, TransferFailure failure, uint? servedSerial);

    /// <summary>A primary has answered again after failures that were told.</summary>
    void OnRecovered(DomainName zone, uint serial);

    /// <summary>A zone is too old to be served.</summary>
    void OnExpired(DomainName zone, uint serial);

    /// <summary>What is kept of a zone is broken, whole or in part.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="problem">What is broken.</param>
    /// <param name="servedSerial">The serial that could be read nevertheless; null = the zone is transferred anew.</param>
    void OnCopyBroken(DomainName zone, string problem, uint? servedSerial);

    /// <summary>A NOTIFY was not allowed. Told for a few of them only.</summary>
    void OnNotifyRefused(DomainName zone, ClientAddress client, string reason);

    /// <summary>A fault of this program in the work for a zone; its next refresh is planned.</summary>
    void OnFault(DomainName zone, Exception error);
}
