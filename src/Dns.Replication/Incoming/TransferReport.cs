namespace Dns.Replication.Incoming;

/// <summary>A successful transfer.</summary>
/// <param name="FromSerial">The serial before; null = none.</param>
/// <param name="Octets">Octets of its messages.</param>
/// <param name="Time">The duration, including checks and disk.</param>
/// <param name="Warnings">The warnings that the last whole transfer of the zone did not have.</param>
public sealed record TransferReport(
    DomainName Zone, PeerAddress Primary, uint? FromSerial, uint ToSerial, bool IsIncremental, long Records,
    long Octets, TimeSpan Time, IReadOnlyList<string> Warnings);
