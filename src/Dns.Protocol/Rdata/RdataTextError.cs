namespace Dns.Protocol;

/// <summary>Why RDATA text was refused. Both parts are constants or numbers: making one never allocates.</summary>
/// <param name="TokenIndex">
/// Index of the offending token among all tokens of the reader; their number when something is missing.
/// </param>
/// <param name="Expected">What should have stood there, such as "an IPv4 address".</param>
public readonly record struct RdataTextError(int TokenIndex, string Expected);
