using Dns.Protocol;

namespace Dns.Replication;

/// <summary>Told what servers make of notifications. Called by any thread; must neither wait nor throw.</summary>
public interface INotifyObserver
{
    /// <summary>A server has not answered any of the tries; told once, until it answers again.</summary>
    /// <param name="target">The server.</param>
    /// <param name="zone">The zone that it was notified of.</param>
    /// <param name="unproven">What it answered without a good signature, where one was asked for; null = nothing.</param>
    void OnSilent(PeerAddress target, DomainName zone, Rcode? unproven);

    /// <summary>A server that was silent has answered.</summary>
    void OnAnswering(PeerAddress target);

    /// <summary>A server has answered with an error.</summary>
    void OnRefused(PeerAddress target, DomainName zone, Rcode rcode);

    /// <summary>A server is not notified: its key is not known.</summary>
    void OnKeyUnknown(PeerAddress target, DomainName zone);
}
