using Dns.Protocol;

namespace Dns.Replication;

/// <summary>What became of one transfer.</summary>
/// <param name="Zone">The zone.</param>
/// <param name="Client">Who asked.</param>
/// <param name="Key">The key that it was signed with; null = none.</param>
/// <param name="Kind">Its form.</param>
/// <param name="Serial">The serial of the version that was sent.</param>
/// <param name="Outcome">How it ended.</param>
/// <param name="Records">Records sent, the SOA as often as it is.</param>
/// <param name="Messages">Messages sent.</param>
/// <param name="Octets">Octets of messages sent.</param>
/// <param name="Elapsed">From the query to the last message, or to the end of the connection.</param>
/// <param name="TooLarge">Owner and type of the record that fits into no message; else null.</param>
public readonly record struct TransferSummary(
    DomainName Zone, ClientAddress Client, DomainName? Key, TransferKind Kind, uint Serial, TransferOutcome Outcome,
    long Records, long Messages, long Octets, TimeSpan Elapsed, string? TooLarge)
{
    /// <summary>Whether it was one datagram: perhaps to an address that is forged.</summary>
    public bool IsDatagram { get; init; }
}
