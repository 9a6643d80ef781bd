namespace Dns.Replication.Outgoing;

/// <summary>The result of one transfer.</summary>
/// <param name="Key">The TSIG key; null = unsigned.</param>
/// <param name="Records">Records sent, each SOA counted.</param>
/// <param name="Octets">Octets of messages sent.</param>
/// <param name="Elapsed">From the query to the last message, or to the end of the connection.</param>
/// <param name="TooLarge">Owner and type of a record that exceeds the maximum message length; else null.</param>
public readonly record struct TransferSummary(
    DomainName Zone, ClientAddress Client, DomainName? Key, TransferKind Kind, uint Serial, TransferOutcome Outcome,
    long Records, long Messages, long Octets, TimeSpan Elapsed, string? TooLarge)
{
    /// <summary>Whether it was one datagram, possibly to a forged address.</summary>
    public bool IsDatagram { get; init; }
}
