namespace Dns.Replication;

/// <summary>What a primary says of its version, or why nothing.</summary>
/// <param name="Soa">What it says; not looked at where there is a failure.</param>
/// <param name="Failure">Why it says nothing; null if it does.</param>
/// <param name="HasEdns">Whether it takes queries with EDNS.</param>
internal readonly record struct PrimaryAnswer(SoaAnswer Soa, TransferFailure? Failure, bool HasEdns = true);
