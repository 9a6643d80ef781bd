namespace Dns.Protocol.RecordData;

/// <summary>An error in RDATA text. Both parts are constants or numbers, so creating one allocates nothing.</summary>
/// <param name="TokenIndex">Of the wrong token; the number of the reader's tokens if something is missing.</param>
/// <param name="Expected">What was expected, such as "an IPv4 address".</param>
public readonly record struct RdataTextError(int TokenIndex, string Expected);
