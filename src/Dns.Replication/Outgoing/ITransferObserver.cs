using Dns.Protocol;

namespace Dns.Replication;

/// <summary>Told of transfers that zones are given away by. Called by any thread; must neither wait nor throw.</summary>
public interface ITransferObserver
{
    /// <summary>A transfer has ended.</summary>
    void OnEnded(in TransferSummary summary);

    /// <summary>A query got no transfer.</summary>
    /// <param name="zone">The zone that it asked for.</param>
    /// <param name="client">Who asked.</param>
    /// <param name="reason">Why it got none.</param>
    void OnRefused(DomainName zone, in ClientAddress client, TransferRefusal reason);
}
