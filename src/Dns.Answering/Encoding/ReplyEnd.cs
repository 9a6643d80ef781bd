namespace Dns.Answering.Encoding;

/// <summary>The end of a reply: flags, RCODE, OPT and counts.</summary>
internal static class ReplyEnd
{
    /// <summary>Completes a reply that has an RCODE and no records.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static ReplyOutcome FinishEmpty(scoped ref QueryContext context, Rcode rcode)
    {
        context.Zone = null;
        context.Error = null;
        return Finish(ref context, context.Query.QuestionEnd, rcode, 0, default);
    }

    /// <summary>The same with an extended error, and with the EDNS options of the zone.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static ReplyOutcome FinishEmpty(scoped ref QueryContext context, Rcode rcode, ExtendedErrorCode? reason)
    {
        context.Error = reason;
        return Finish(ref context, context.Query.QuestionEnd, rcode, 0, default);
    }

    /// <summary>Sends the client to a reliable transport: TC without records.</summary>
    internal static ReplyOutcome FinishTruncated(scoped ref QueryContext context, Rcode rcode = Rcode.NoError) =>
        Finish(ref context, context.Query.QuestionEnd, rcode, MessageHeader.Truncated, default);

    /// <summary>Completes header and OPT.</summary>
    /// <param name="context">The query; its zone and error go into EDNS options.</param>
    /// <param name="length">Where the records end.</param>
    /// <param name="flags">AA, TC and AD.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ReplyOutcome Finish(
        scoped ref QueryContext context, int length, Rcode rcode, int flags, RecordCounts counts)
    {
        const int copied = MessageHeader.OpcodeMask | MessageHeader.RecursionDesired | MessageHeader.CheckingDisabled;
        ref Query query = ref context.Query;
        Span<byte> message = context.Message;
        query.Rcode = rcode;
        int head = MessageHeader.QueryResponse | query.Flags & copied | query.Offered | flags
            | (int)rcode & MessageHeader.RcodeMask;
        int additional = counts.Additional;
        if (query.Edns.IsPresent)
        {
            length = ResponseOpt.Write(ref context, length, rcode);
            additional++;
        }
        // Flags, QDCOUNT 1, ANCOUNT and NSCOUNT.
        BinaryPrimitives.WriteUInt64BigEndian(
            message[2..], (ulong)head << 48 | 1UL << 32 | (uint)counts.Answer << 16 | (ushort)counts.Authority);
        MessageHeader.SetCount(message, 3, (ushort)additional);
        return ReplyOutcome.Of(length);
    }
}
