namespace Dns.Answering;

/// <content>Queries that need more than a lookup: EDNS options and versions, TSIG, classes and meta-types.</content>
public sealed partial class Responder
{
    /// <summary>Handles everything that makes a query special.</summary>
    /// <returns>The reply; <see cref="ReplyOutcome.NotHandled"/> if the query needs a lookup.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReplyOutcome AnswerSpecial<TSteps>(scoped ref QueryContext context, TSteps steps)
        where TSteps : struct, IAnswerSteps
    {
        ref Query query = ref context.Query;
        context.Chain = null;
        if (query.TsigAt != 0)
        {
            if (SignedQueries.Verify(ref context) is { IsHandled: true } refusal) return refusal;
            if (_hasViews) FindZone(ref context, context.Chain!.Key);
        }
        // A long NSID behind a long name may not fit 512 octets; optional EDNS options are dropped first.
        if (query.QuestionEnd + ResponseOpt.Octets(ref context) > context.Limit)
            query.Edns.Requested &= EdnsRequests.Cookie;
        if (query.Edns.Version > 0) return ReplyEnd.FinishEmpty(ref context, Rcode.BadVers);
        if (query.Class != RRClass.IN) return AnswerClass(ref context);
        if (MetaTypes.Has(query.Type)) return AnswerMetaType(ref context, steps);
        // A signed query is never forwarded: its TSIG state ends with this call.
        if (context.Chain is not null) query.Offered = 0;
        return ReplyOutcome.NotHandled;
    }

    private static ReplyOutcome AnswerMetaType<TSteps>(scoped ref QueryContext context, TSteps steps)
        where TSteps : struct, IAnswerSteps
    {
        ref Query query = ref context.Query;
        bool isApex = context.ZoneSlot is not null && context.ApexSkip == 0;
        Rcode rcode = MetaTypes.RcodeOf(query.Type, isApex);
        if (TSteps.IsTraced) steps.OnMetaType(in query.Name, isApex ? context.ZoneSlot : null, rcode);
        if (query.Type == RRType.NXNAME)
            return ReplyEnd.FinishEmpty(ref context, rcode, ExtendedErrorCode.InvalidQueryType);
        // Only a client without permission is refused.
        if (rcode != Rcode.Refused) return ReplyEnd.FinishEmpty(ref context, rcode);
        context.Zone = null;
        return ReplyEnd.FinishEmpty(ref context, rcode, ExtendedErrorCode.Prohibited);
    }

    /// <summary>Classes other than IN: CH describes the server itself, no other class is served.</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private ReplyOutcome AnswerClass(scoped ref QueryContext context)
    {
        ref Query query = ref context.Query;
        if (query.Class != RRClass.CH || !_chaos.TryFind(in query.Name, query.Type, out byte[] rdata))
            return ReplyEnd.FinishEmpty(ref context, Rcode.Refused);
        Unsafe.SkipInit(out NameCompressor names);
        ResponseWriter writer = default;
        writer.Begin(ref context, ref names);
        bool fits = writer.TryWriteRecord(
            Section.Answer, MessageHeader.LengthOctets, RRType.TXT, RRClass.CH, ttl: 0, rdata);
        int flags = MessageHeader.AuthoritativeAnswer | (fits ? 0 : MessageHeader.Truncated);
        return ReplyEnd.Finish(ref context, writer.Position, Rcode.NoError, flags, writer.Counts);
    }
}
