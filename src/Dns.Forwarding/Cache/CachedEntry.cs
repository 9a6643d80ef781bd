using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>What a cache holds about a name, for people.</summary>
/// <param name="Type">QTYPE; 0 for "no such name", which holds for all types.</param>
/// <param name="Class">QCLASS.</param>
/// <param name="Flags">DO and CD.</param>
/// <param name="IsFailure">Whether it is a kept failure (RFC 9520).</param>
/// <param name="Age">How long ago it was stored.</param>
/// <param name="TimeLeft">How long it is fresh; negative if it has expired.</param>
/// <param name="Rcode">The response code.</param>
/// <param name="Error">The extended error that goes with it.</param>
/// <param name="Message">
/// Header, question and records as a message, TTLs as they were stored; the QTYPE of a name error is ANY.
/// </param>
public sealed record CachedEntry(
    RRType Type, RRClass Class, QuestionFlags Flags, bool IsFailure, TimeSpan Age, TimeSpan TimeLeft, Rcode Rcode,
    ExtendedErrorCode? Error, byte[] Message);
