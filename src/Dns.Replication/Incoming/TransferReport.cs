using Dns.Protocol;

namespace Dns.Replication;

/// <summary>A transfer that was served and kept.</summary>
/// <param name="Zone">The zone.</param>
/// <param name="Primary">Where it came from.</param>
/// <param name="FromSerial">The serial before; null = there was no version.</param>
/// <param name="ToSerial">The serial now.</param>
/// <param name="IsIncremental">Whether differences came, and no whole zone.</param>
/// <param name="Records">Records of the transfer.</param>
/// <param name="Octets">Octets of its messages.</param>
/// <param name="Time">From the connection to the last message, checks and disk included.</param>
/// <param name="Warnings">What looks odd in the zone.</param>
public sealed record TransferReport(
    DomainName Zone, PeerAddress Primary, uint? FromSerial, uint ToSerial, bool IsIncremental, long Records, long Octets, TimeSpan Time,
    IReadOnlyList<string> Warnings);
