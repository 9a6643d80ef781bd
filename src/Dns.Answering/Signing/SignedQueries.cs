namespace Dns.Answering.Signing;

/// <summary>TSIG on queries (RFC 8945 §5.2) and their replies.</summary>
internal static class SignedQueries
{
    /// <summary>Verifies a signed query. If it is valid, room for the reply's TSIG record is reserved.</summary>
    /// <returns>The refusal; <see cref="ReplyOutcome.NotHandled"/> if the signature is valid.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static ReplyOutcome Verify(scoped ref QueryContext context)
    {
        RecordReader record = new(context.Message, context.Query.TsigAt, count: 1, MessageSection.Additional);
        record.TryRead();
        TsigRequest request =
            TsigRequest.Accept(context.Message[..record.Position], context.Options.Keys, context.Options.UnixSeconds());
        if (request.Rcode == Rcode.FormErr) return ReplyEnd.FinishEmpty(ref context, Rcode.FormErr);
        if (request.Chain is not { } chain) return RefuseSignature(ref context, request.Error);
        if (!TryReserve(ref context, chain.Key.MaxRecordOctets))
        {
            chain.Dispose();
            return ReplyEnd.FinishTruncated(ref context, request.Rcode);
        }
        (context.Chain, context.TsigError) = (chain, request.Error);
        return request.Rcode == Rcode.NoError
            ? ReplyOutcome.NotHandled : ReplyEnd.FinishEmpty(ref context, request.Rcode);
    }

    /// <summary>Signs a reply, which grows by the TSIG record.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static ReplyOutcome Sign(scoped ref QueryContext context, ReplyOutcome reply)
    {
        using TsigChain chain = context.Chain!;
        context.Chain = null;
        if (!reply.IsReply) return reply;
        long now = context.Options.UnixSeconds();
        return ReplyOutcome.Of(chain.Sign(context.Message, reply.Octets, now, context.TsigError));
    }

    /// <summary>
    /// Refuses a wrong key or MAC (RFC 8945 §5.2.1, §5.2.2): NOTAUTH with an unsigned TSIG record. If the record does
    /// not fit behind a long question, TC sends the client to a reliable transport.
    /// </summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private static ReplyOutcome RefuseSignature(scoped ref QueryContext context, Rcode error)
    {
        Span<byte> octets = stackalloc byte[TsigRecord.MaxUnsignedOctets];
        RecordReader record = new(context.Message, context.Query.TsigAt, count: 1, MessageSection.Additional);
        // The record was parsed before, so it is well-formed.
        octets = record.TryRead() && TsigRecord.TryRead(in record, out TsigRecord tsig)
            ? octets[..tsig.WriteUnsigned(octets, error)] : default;
        if (!TryReserve(ref context, octets.Length)) return ReplyEnd.FinishTruncated(ref context, Rcode.NotAuth);
        int length = ReplyEnd.FinishEmpty(ref context, Rcode.NotAuth).Octets;
        octets.CopyTo(context.Message[length..]);
        MessageHeader.SetCount(context.Message, 3, (ushort)(MessageHeader.Count(context.Message, 3) + 1));
        return ReplyOutcome.Of(length + octets.Length);
    }

    /// <summary>Reserves room for a record at the end; optional EDNS options are dropped for it.</summary>
    private static bool TryReserve(scoped ref QueryContext context, int octets)
    {
        ref Query query = ref context.Query;
        if (query.QuestionEnd + ResponseOpt.Octets(ref context) + octets > context.Limit)
            query.Edns.Requested &= EdnsRequests.Cookie;
        if (query.QuestionEnd + ResponseOpt.Octets(ref context) + octets > context.Limit) return false;
        context.Limit -= octets;
        return true;
    }
}
