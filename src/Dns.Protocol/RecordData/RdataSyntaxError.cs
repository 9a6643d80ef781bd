namespace Dns.Protocol.RecordData;

/// <summary>An error in a line of RDATA text.</summary>
/// <param name="Column">In octets from 1: of the wrong word; one behind the end if something is missing.</param>
/// <param name="Expected">What was expected, such as "an IPv4 address". A constant.</param>
public readonly record struct RdataSyntaxError(int Column, string Expected)
{
    /// <summary><c>column 4: expected an IPv4 address</c>.</summary>
    public override string ToString() => $"column {Column}: expected {Expected}";
}
