namespace Dns.Replication;

/// <summary>A primary's answer about its version, or a failure.</summary>
/// <param name="Soa">The answer; undefined on failure.</param>
/// <param name="Failure">The failure; null for none.</param>
/// <param name="HasEdns">Whether it supports EDNS.</param>
internal readonly record struct PrimaryAnswer(SoaAnswer Soa, TransferFailure? Failure, bool HasEdns = true);
