namespace Dns.Answering;

/// <content>
/// The ladder: the steps that answer a query, in their order. A step makes the reply, or leaves the query to the next.
/// <code>
/// AnswerSpecial     EDNS options and versions, TSIG, classes, meta-types
/// DecideQuery       a policy, if there is one
/// AnswerForwarded   a name in a forwarded zone: the cache, or an upstream
/// TryAnswerPlainly  a served name that has the type, and no host in its records
/// AnswerFollowing   any served name, for clients with recursion: aliases and cuts lead on to forwarded names
/// AnswerServed      any served name
/// </code>
/// </content>
public sealed partial class Responder
{
    /// <summary>Answers a parsed query whose view and zone were found.</summary>
    private ReplyOutcome Answer<TSource, TSteps>(scoped ref QueryContext context, ref TSource source, TSteps steps)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        ref Query query = ref context.Query;
        context.Limit = ResponseLimit(ref context);
        context.Zone = null;
        context.Error = null;
        IForwardedZones? forwarded = typeof(TSource) == typeof(NoSource) ? null : context.View.Forwarded;
        if (forwarded is not null && forwarded.MayRecurse(ref context.Client))
            query.Offered = MessageHeader.RecursionAvailable;
        if (query.IsSpecial && AnswerSpecial(ref context, steps) is { IsHandled: true } special) return special;
        bool isForwarded = forwarded is not null && IsForwarded(ref context, forwarded);
        if (TSteps.HasPolicy
            && DecideQuery(ref context, in query.Name, isForwarded, steps) is { IsHandled: true } decided)
            return decided;
        if (TSteps.IsTraced && isForwarded) steps.OnElsewhere(in query.Name);
        if (isForwarded)
            return AnswerForwarded(ref context, ref source, steps);
        if (!TSteps.IsTraced && TryAnswerPlainly(ref context, out int plain)) return ReplyOutcome.Of(plain);
        return forwarded is not null && query.IsFollowed
            ? AnswerFollowing(ref context, ref source, steps, ChainStart.Served)
            : ReplyOutcome.Of(AnswerServed(ref context, steps));
    }

    /// <summary>Whether a forwarded zone holds the name, and no served zone that is as long.</summary>
    private static bool IsForwarded(scoped ref QueryContext context, IForwardedZones forwarded)
    {
        ref Query query = ref context.Query;
        int served = ZoneChoice.LabelsOf(
            context.ZoneSlot, in query.Name, query.IsFollowed ? query.Type : default, context.ApexSkip);
        // DS belongs to the parent zone (RFC 4035 §3.1.4.1).
        int skipped = query.Type == RRType.DS && query.Name.LabelCount > 0 ? 1 : 0;
        return forwarded.ZoneLabels(in query.Name, skipped) > served;
    }

    /// <summary>
    /// Answers the most common query: the name exists, has the type, and no record names a host. Takes a third of the
    /// instructions of the general path, which answers everything else, including what does not fit.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryAnswerPlainly(scoped ref QueryContext context, out int length)
    {
        length = 0;
        ref Query query = ref context.Query;
        if (!_answersPlainly || context.ZoneSlot is not { AllowQuery: null, Zone: { } zone }) return false;
        if (!zone.TryFind(in query.Name, in context.Hint, out ZoneNode node)
            || !node.AnswersItself || zone.HasUnmarkedCuts)
            return false;
        if (query.Type is RRType.ANY or RRType.RRSIG) return false;
        if (Rdata.HasCompressibleNames(query.Type) || !node.TryFind(query.Type, out RRset rrset) || rrset.NamesHosts)
            return false;
        int limit = context.Limit - OptOctets(ref context);
        int end = ResponseWriter.WritePlain(
            context.Message, query.QuestionEnd, limit, MessageHeader.LengthOctets, rrset, rrset.Ttl);
        if (end < 0) return false;
        context.Zone = zone;
        RecordCounts counts = default;
        counts.Answer = rrset.Count;
        if (query.Edns.DnssecOk && zone.IsSigned &&
            !TrySignPlainly(ref context, node, rrset, limit, ref end, ref counts)) return false;
        length = Finish(ref context, end, Rcode.NoError, MessageHeader.AuthoritativeAnswer, counts);
        return true;
    }

    /// <summary>Writes the signatures of the answer's RRset. False if they do not fit.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TrySignPlainly(
        scoped ref QueryContext context, scoped ZoneNode node, scoped RRset rrset, int limit, ref int end,
        ref RecordCounts counts)
    {
        if (!node.TryFindSignatures(rrset.Type, out RRset signatures)) return context.Zone!.OnlineSigner is null;
        end = ResponseWriter.WritePlain(
            context.Message, end, limit, MessageHeader.LengthOctets, signatures, Math.Min(rrset.Ttl, signatures.Ttl));
        counts.Answer += signatures.Count;
        return end >= 0;
    }

    /// <summary>Answers from the served zones alone.</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private int AnswerServed<TSteps>(scoped ref QueryContext context, TSteps steps)
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out NameCompressor names);
        Resolution<TSteps> resolution =
            new(ref context, ref Unscoped.Of(in names), OptOctets(ref context), _options, steps);
        resolution.Resolve(context.ZoneSlot, context.ApexSkip);
        return FinishResolution(ref context, ref resolution);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int FinishResolution<TSteps>(scoped ref QueryContext context, scoped ref Resolution<TSteps> resolution)
        where TSteps : struct, IAnswerSteps
    {
        // There is no larger transport to fall back to.
        if (resolution.IsTruncated && context.Transport.IsReliable) return FinishEmpty(ref context, Rcode.ServFail);
        context.Zone = resolution.Zone;
        context.Error = resolution.Error;
        int flags = (resolution.IsAuthoritative ? MessageHeader.AuthoritativeAnswer : 0)
            | (resolution.IsTruncated ? MessageHeader.Truncated : 0);
        return Finish(ref context, resolution.Writer.Position, resolution.Rcode, flags, resolution.Writer.Counts);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int ResponseLimit(scoped ref QueryContext context)
    {
        int room = context.Message.Length;
        if (context.Transport.IsReliable) return Math.Min(room, ushort.MaxValue);
        ref EdnsQuery edns = ref context.Query.Edns;
        int requested = edns.IsPresent
            ? Math.Max((int)edns.PayloadOctets, ResponderOptions.MinUdpPayload) : ResponderOptions.MinUdpPayload;
        return Math.Min(room, Math.Min(requested, _options.MaxUdpPayload));
    }
}
