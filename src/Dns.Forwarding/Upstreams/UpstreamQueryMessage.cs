using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>Writes what is sent to an upstream: a question of our own, never the client's message.</summary>
/// <remarks>
/// EDNS is hop by hop (RFC 6891 §6.1.1): nothing of a client's options is passed on, its subnet neither. DO and CD are part
/// of the question and are.
/// </remarks>
internal static class UpstreamQueryMessage
{
    /// <summary>The longest query: header, the longest question, OPT with the longest cookie.</summary>
    internal const int MaxOctets = 12 + WireName.MaxOctets + 4 + 11 + 4 + UpstreamCookie.MaxOctets;

    /// <summary>The largest datagram asked for: fits a packet of IPv6 unfragmented nearly everywhere (RFC 9715 §3).</summary>
    internal const int PayloadOctets = 1232;

    /// <summary>Writes a query with ID 0.</summary>
    /// <param name="destination">At least <see cref="MaxOctets"/>.</param>
    /// <param name="question">Name, type and class as they are spelt.</param>
    /// <param name="flags">DO and CD.</param>
    /// <param name="wantsAuthenticData">Whether AD of the reply will be believed, and so is asked for (RFC 6840 §5.7).</param>
    /// <param name="withEdns">Whether to add an OPT record.</param>
    /// <param name="cookie">The COOKIE option; empty = none.</param>
    /// <returns>The length.</returns>
    internal static int Write(
        Span<byte> destination, ReadOnlySpan<byte> question, QuestionFlags flags, bool wantsAuthenticData, bool withEdns,
        ReadOnlySpan<byte> cookie)
    {
        ushort bits = MessageHeader.RecursionDesired;
        if ((flags & QuestionFlags.CheckingDisabled) != 0) bits |= MessageHeader.CheckingDisabled;
        if (wantsAuthenticData) bits |= MessageHeader.AuthenticData;
        MessageWriter writer = new(destination, names: null);
        writer.WriteHeader(0, bits);
        writer.TryCopyQuestion(question);
        if (!withEdns) return writer.Finish();
        writer.BeginOpt(PayloadOctets, Rcode.NoError, (flags & QuestionFlags.DnssecOk) != 0);
        if (!cookie.IsEmpty) writer.WriteOption(EdnsOptionCode.Cookie, cookie);
        writer.TryEnd();
        return writer.Finish();
    }
}
