namespace Dns.Replication.Notify;

/// <summary>Receives the results of notifications. Called on any thread; must neither wait nor throw.</summary>
public interface INotifyObserver
{
    /// <summary>A server has not answered any try; reported once until it answers again.</summary>
    /// <param name="unproven">The RCODE of an answer without a required valid signature; null = none.</param>
    void OnSilent(PeerAddress target, DomainName zone, Rcode? unproven);

    /// <summary>A server that was silent has answered.</summary>
    void OnAnswering(PeerAddress target);

    /// <summary>A server has answered with an error.</summary>
    void OnRefused(PeerAddress target, DomainName zone, Rcode rcode);

    /// <summary>A server is not notified because its key is unknown.</summary>
    void OnKeyUnknown(PeerAddress target, DomainName zone);
}
