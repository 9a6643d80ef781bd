namespace Dns.Forwarding.Upstreams;

/// <summary>Writes an upstream query: a new message, never the client's.</summary>
/// <remarks>
/// EDNS is hop by hop (RFC 6891 §6.1.1): none of the client's options are passed on, including its subnet. DO and CD
/// are, as part of the question.
/// </remarks>
internal static class UpstreamQueryMessage
{
    /// <summary>The maximum length: header, the longest question, OPT with the longest cookie.</summary>
    internal const int MaxOctets = 12 + WireName.MaxOctets + 4 + 11 + 4 + UpstreamCookie.MaxOctets;

    /// <summary>The announced UDP payload size: nearly always fits an IPv6 packet whole (RFC 9715 §3).</summary>
    internal const int PayloadOctets = 1232;

    /// <summary>Writes a query with ID 0; returns its length.</summary>
    /// <param name="destination">At least <see cref="MaxOctets"/>.</param>
    /// <param name="question">Name, type and class in their letter case.</param>
    /// <param name="flags">DO and CD.</param>
    /// <param name="wantsAuthenticData">Whether to request AD, if it will be trusted (RFC 6840 §5.7).</param>
    /// <param name="cookie">The COOKIE option; empty = none.</param>
    internal static int Write(
        Span<byte> destination, ReadOnlySpan<byte> question, QuestionFlags flags, bool wantsAuthenticData,
        bool withEdns, ReadOnlySpan<byte> cookie)
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
