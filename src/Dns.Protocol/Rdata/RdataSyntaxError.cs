namespace Dns.Protocol;

/// <summary>Why a line of RDATA text was refused.</summary>
/// <param name="Column">
/// Where, in octets from 1: the start of the word that is wrong; one behind the end of the line when something is missing.
/// </param>
/// <param name="Expected">What should have stood there, such as "an IPv4 address". A constant.</param>
public readonly record struct RdataSyntaxError(int Column, string Expected)
{
    /// <summary><c>column 4: expected an IPv4 address</c>.</summary>
    public override string ToString() => $"column {Column}: expected {Expected}";
}
