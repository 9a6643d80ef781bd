namespace Dns.Answering;

/// <content>The policy step.</content>
public sealed partial class Responder
{
    /// <summary>Has a policy decide about a name before its lookup.</summary>
    /// <returns><see cref="ReplyOutcome.NotHandled"/> if it passes.</returns>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private ReplyOutcome DecideQuery<TSteps>(
        scoped ref QueryContext context, scoped ref readonly LookupName name, bool isForwarded, TSteps steps)
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out NameCompressor names);
        PolicyQuery query = new(ref context, in Unscoped.Of(in name), isForwarded);
        PolicyReply reply = BeginReply(ref context, ref Unscoped.Of(in names));
        PolicyVerdict verdict = steps.OnQuery(in query, ref reply);
        return verdict == PolicyVerdict.Pass
            ? ReplyOutcome.NotHandled : Carry(ref context, in query, verdict, ref reply, steps);
    }

    /// <summary>Has a policy decide about relayed records before they are given.</summary>
    /// <param name="message">The message with the records.</param>
    /// <param name="start">Where they start.</param>
    /// <returns><see cref="ReplyOutcome.NotHandled"/> if it passes.</returns>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private ReplyOutcome DecideForwarded<TSteps>(
        scoped ref QueryContext context, scoped ref readonly LookupName name, scoped ReadOnlySpan<byte> message,
        int start, scoped in RelayedAnswer answer, TSteps steps)
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out NameCompressor names);
        PolicyQuery query = new(ref context, in Unscoped.Of(in name), isForwarded: true);
        PolicyReply reply = BeginReply(ref context, ref Unscoped.Of(in names));
        RecordReader records = new(message[..(start + answer.Octets)], start, answer.AnswerCount);
        PolicyVerdict verdict = steps.OnForwarded(in query, records, ref reply);
        return verdict == PolicyVerdict.Pass
            ? ReplyOutcome.NotHandled : Carry(ref context, in query, verdict, ref reply, steps);
    }

    private PolicyReply BeginReply(scoped ref QueryContext context, ref NameCompressor names) => new(new ResponseWriter(
        context.Message, context.Limit - OptOctets(ref context), in context.Query, ref names, rotation: 0));

    /// <summary>Carries out the verdict of a policy.</summary>
    private ReplyOutcome Carry<TSteps>(
        scoped ref QueryContext context, scoped in PolicyQuery query, PolicyVerdict verdict,
        scoped ref PolicyReply reply, TSteps steps)
        where TSteps : struct, IAnswerSteps
    {
        if (verdict == PolicyVerdict.Truncate && context.Transport.IsReliable) return ReplyOutcome.NotHandled;
        if (TSteps.IsTraced) steps.OnPolicy(in query.Name, verdict);
        context.Query.IsRelayed = query.IsForwarded;
        context.Zone = null;
        context.Error = reply.Error;
        if (verdict == PolicyVerdict.Drop) return ReplyOutcome.None;
        if (verdict == PolicyVerdict.Truncate) return FinishTruncated(ref context);
        bool isCut = reply.Writer.HasOmitted;
        if (isCut && context.Transport.IsReliable)
            return ReplyOutcome.Of(FinishEmpty(ref context, Rcode.ServFail));
        return ReplyOutcome.Of(Finish(ref context, reply.Writer.Position, reply.Rcode,
            isCut ? MessageHeader.Truncated : 0, reply.Writer.Counts));
    }
}
