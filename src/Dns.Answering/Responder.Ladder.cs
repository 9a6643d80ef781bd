namespace Dns.Answering;

/// <content>
/// The ladder: the steps that answer a query, in their order. A step makes the reply, or leaves the query to the next.
/// <code>
/// AnswerSpecial             EDNS options and versions, TSIG, classes, meta-types
/// PolicyStep.Decide         a policy, if there is one
/// ForwardedAnswers.Answer   a name in a forwarded zone: the cache, or an upstream
/// PlainAnswer.Answer        a served name that has the type, and no host in its records
/// ForwardedAnswers.Follow   any served name, with recursion: aliases and cuts lead on to forwarded names
/// Resolution.Answer         any served name
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
        bool isForwarded = forwarded is not null && ForwardedAnswers.Holds(ref context, forwarded);
        if (TSteps.HasPolicy
            && PolicyStep.Decide(ref context, in query.Name, isForwarded, steps) is { IsHandled: true } decided)
            return decided;
        if (TSteps.IsTraced && isForwarded) steps.OnElsewhere(in query.Name);
        if (isForwarded) return ForwardedAnswers.Answer(ref context, ref source, steps);
        if (_answersPlainly && !TSteps.IsTraced && PlainAnswer.Answer(ref context) is { IsHandled: true } plain)
            return plain;
        return forwarded is not null && query.IsFollowed
            ? ForwardedAnswers.Follow(ref context, ref source, steps, ChainStart.Served)
            : Resolution.Answer(ref context, steps);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int ResponseLimit(scoped ref QueryContext context)
    {
        int room = context.Message.Length;
        if (context.Transport.IsReliable) return Math.Min(room, ushort.MaxValue);
        ref EdnsQuery edns = ref context.Query.Edns;
        int requested = edns.IsPresent
            ? Math.Max((int)edns.PayloadOctets, ResponderOptions.MinUdpPayload) : ResponderOptions.MinUdpPayload;
        return Math.Min(room, Math.Min(requested, context.Options.MaxUdpPayload));
    }
}
