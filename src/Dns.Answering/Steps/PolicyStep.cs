namespace Dns.Answering.Steps;

/// <summary>Has the policy decide, and carries out what it decides.</summary>
internal static class PolicyStep
{
    /// <summary>Has a policy decide about a name before its lookup.</summary>
    /// <returns><see cref="ReplyOutcome.NotHandled"/> if it passes.</returns>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal static ReplyOutcome Decide<TSteps>(
        scoped ref QueryContext context, scoped ref readonly LookupName name, bool isForwarded, TSteps steps)
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out NameCompressor names);
        PolicyQuery query = new(ref context, in Unscoped.Of(in name), isForwarded);
        PolicyReply reply = default;
        reply.Writer.Begin(ref context, ref names);
        PolicyVerdict verdict = steps.OnQuery(in query, ref reply);
        return verdict == PolicyVerdict.Pass
            ? ReplyOutcome.NotHandled : Carry(ref context, in query, verdict, ref reply, steps);
    }

    /// <summary>Has a policy decide about relayed records before they are given.</summary>
    /// <param name="message">The message with the records.</param>
    /// <param name="start">Where they start.</param>
    /// <returns><see cref="ReplyOutcome.NotHandled"/> if it passes.</returns>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal static ReplyOutcome DecideForwarded<TSteps>(
        scoped ref QueryContext context, scoped ref readonly LookupName name, scoped ReadOnlySpan<byte> message,
        int start, scoped in RelayedAnswer answer, TSteps steps)
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out NameCompressor names);
        PolicyQuery query = new(ref context, in Unscoped.Of(in name), isForwarded: true);
        PolicyReply reply = default;
        reply.Writer.Begin(ref context, ref names);
        RecordReader records = new(message[..(start + answer.Octets)], start, answer.AnswerCount);
        PolicyVerdict verdict = steps.OnForwarded(in query, records, ref reply);
        return verdict == PolicyVerdict.Pass
            ? ReplyOutcome.NotHandled : Carry(ref context, in query, verdict, ref reply, steps);
    }

    /// <summary>Carries out the verdict of a policy.</summary>
    private static ReplyOutcome Carry<TSteps>(
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
        if (verdict == PolicyVerdict.Truncate) return ReplyEnd.FinishTruncated(ref context);
        bool isCut = reply.Writer.HasOmitted;
        if (isCut && context.Transport.IsReliable) return ReplyEnd.FinishEmpty(ref context, Rcode.ServFail);
        return ReplyEnd.Finish(ref context, reply.Writer.Position, reply.Rcode,
            isCut ? MessageHeader.Truncated : 0, reply.Writer.Counts);
    }
}
