namespace Dns.Replication.Incoming;

/// <summary>A primary's answer about its version, or a failure.</summary>
/// <param name="Soa">The answer; undefined on failure.</param>
internal readonly record struct PrimaryAnswer(SoaAnswer Soa, TransferFailure? Failure, bool HasEdns = true);
