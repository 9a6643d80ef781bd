namespace Dns.Replication.Outgoing;

/// <summary>Receives events of outgoing transfers. Called on any thread; must neither wait nor throw.</summary>
public interface ITransferObserver
{
    /// <summary>A transfer has ended.</summary>
    void OnEnded(in TransferSummary summary);

    /// <summary>A query was refused.</summary>
    void OnRefused(DomainName zone, in ClientAddress client, TransferRefusal reason);
}
