namespace Dns.Protocol;

/// <summary>An error in RDATA text. Both parts are constants or numbers, so creating one allocates nothing.</summary>
/// <param name="TokenIndex">
/// The index of the wrong token among the reader's tokens; their number if something is missing.
/// </param>
/// <param name="Expected">What was expected, such as "an IPv4 address".</param>
public readonly record struct RdataTextError(int TokenIndex, string Expected);
