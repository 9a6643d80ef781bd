namespace Dns.Answering.Deferring;

/// <summary>Answers to forwarded names: from the cache or an upstream, at once or deferred.</summary>
internal static class ForwardedAnswers
{
    /// <summary>Whether a forwarded zone holds the name, and no served zone that is as long.</summary>
    internal static bool Holds(scoped ref QueryContext context, IForwardedZones forwarded)
    {
        ref Query query = ref context.Query;
        int served = ZoneChoice.LabelsOf(
            context.ZoneSlot, in query.Name, query.IsFollowed ? query.Type : default, context.ApexSkip);
        // DS belongs to the parent zone (RFC 4035 §3.1.4.1).
        int skipped = query.Type == RRType.DS && query.Name.LabelCount > 0 ? 1 : 0;
        return forwarded.ZoneLabels(in query.Name, skipped) > served;
    }

    /// <summary>Answers a forwarded name from the cache, or defers the query until an upstream answers.</summary>
    internal static ReplyOutcome Answer<TSource, TSteps>(
        scoped ref QueryContext context, ref TSource source, TSteps steps)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        ref Query query = ref context.Query;
        query.IsRelayed = true;
        if (query.Offered == 0) return Refuse(ref context, ExtendedErrorCode.Prohibited);
        Question question = QuestionOf(in query, in query.Name, context.View);
        int room = context.Limit - ResponseOpt.Octets(ref context);
        bool recursionDesired = (query.Flags & MessageHeader.RecursionDesired) != 0;
        Span<byte> destination = context.Message[query.QuestionEnd..room];
        if (source.TryCopy(question, recursionDesired, destination, out RelayedAnswer answer))
        {
            if (TSteps.HasPolicy
                && PolicyStep.DecideForwarded(
                    ref context, in query.Name, context.Message, query.QuestionEnd, in answer, steps)
                    is { IsHandled: true } decided)
                return decided;
            bool isFollowed = answer.EndsInAlias && !answer.DoesNotFit && recursionDesired;
            return isFollowed ? Follow(ref context, ref source, steps, ChainStart.Forwarded)
                : FinishRelayed(ref context, in answer);
        }
        // Without RD, only cached answers are given (RFC 1034 §4.3.1).
        if (!recursionDesired) return Refuse(ref context, ExtendedErrorCode.NotAuthoritative);
        if (TryDefer(ref context, question, ref source, out DeferralRefusal refusal)) return ReplyOutcome.Deferred;
        return refusal.WantsProof ? ReplyEnd.FinishTruncated(ref context)
            : ReplyEnd.FinishEmpty(ref context, Rcode.ServFail, refusal.Reason);
    }

    private static ReplyOutcome Refuse(scoped ref QueryContext context, ExtendedErrorCode reason) =>
        ReplyEnd.FinishEmpty(ref context, Rcode.Refused, reason);

    private static bool TryDefer<TSource>(
        scoped ref QueryContext context, scoped Question question, ref TSource source, out DeferralRefusal refusal)
        where TSource : IAnswerSource, allows ref struct
    {
        DeferredQuery deferred = DeferredQuery.Of(ref context);
        if (source.TryDefer(question, in deferred, out refusal)) return true;
        deferred.Path.Abandon();
        return false;
    }

    private static ReplyOutcome FinishRelayed(scoped ref QueryContext context, in RelayedAnswer answer)
    {
        ref Query query = ref context.Query;
        if (answer.DoesNotFit && context.Transport.IsReliable) return ReplyEnd.FinishEmpty(ref context, Rcode.ServFail);
        // AD goes to clients that set AD or DO (RFC 6840 §5.8).
        bool wantsAuthenticData = query.Edns.DnssecOk || (query.Flags & MessageHeader.AuthenticData) != 0;
        int flags = (answer.AuthenticData && wantsAuthenticData ? MessageHeader.AuthenticData : 0)
            | (answer.DoesNotFit ? MessageHeader.Truncated : 0);
        RecordCounts counts = default;
        (counts.Answer, counts.Authority, counts.Additional) =
            (answer.AnswerCount, answer.AuthorityCount, answer.AdditionalCount);
        context.Error = answer.Error;
        return ReplyEnd.Finish(ref context, query.QuestionEnd + answer.Octets, answer.Rcode, flags, counts);
    }

    /// <summary>Answers from the served zones, then from another source where an alias or a cut leads out.</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal static ReplyOutcome Follow<TSource, TSteps>(
        scoped ref QueryContext context, ref TSource source, TSteps steps, ChainStart start)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out NameCompressor names);
        Unsafe.SkipInit(out LookupName elsewhere);
        Span<ulong> visited = stackalloc ulong[Resolution.MaxVisited];
        ref Query query = ref context.Query;
        Resolution<TSteps> resolution = default;
        resolution.Begin(ref context, ref names, steps);
        resolution.Follow(context.View.Forwarded!, ref elsewhere, visited);
        if (start == ChainStart.Forwarded) resolution.BeginElsewhere();
        else
        {
            resolution.Resolve(context.ZoneSlot, context.ApexSkip);
            if (resolution.IsWhollyElsewhere)
                return TSteps.HasPolicy
                    && PolicyStep.Decide(ref context, in query.Name, isForwarded: true, steps)
                        is { IsHandled: true } cut
                    ? cut : Answer(ref context, ref source, steps);
        }
        while (resolution.ContinuesElsewhere)
        {
            Question question = QuestionOf(in query, in elsewhere, context.View);
            bool isDecided = elsewhere.Octets.SequenceEqual(query.Name.Octets);
            if (TSteps.HasPolicy && !isDecided
                && PolicyStep.Decide(ref context, in elsewhere, isForwarded: true, steps)
                    is { IsHandled: true } decided)
                return decided;
            byte[] theirs = context.Worker.Message;
            Span<byte> destination = theirs.AsSpan(question.EndOffset);
            if (source.TryCopy(question, recursionDesired: true, destination, out RelayedAnswer answer))
            {
                if (TSteps.HasPolicy && !isDecided && PolicyStep.DecideForwarded(ref context, in elsewhere, theirs,
                    question.EndOffset, in answer, steps) is { IsHandled: true } replaced)
                    return replaced;
                WriteQuestion(theirs, question);
                resolution.Append(theirs, question, in answer);
                continue;
            }
            if (TryDefer(ref context, question, ref source, out DeferralRefusal refusal)) return ReplyOutcome.Deferred;
            if (refusal.WantsProof) return ReplyEnd.FinishTruncated(ref context);
            resolution.Fail(refusal.Reason);
        }
        return resolution.Finish(ref context);
    }

    /// <summary>Writes the question of an otherwise empty message.</summary>
    private static void WriteQuestion(Span<byte> message, scoped Question question)
    {
        message[..MessageHeader.LengthOctets].Clear();
        question.Name.Octets.CopyTo(message[MessageHeader.LengthOctets..]);
        Span<byte> rest = message.Slice(MessageHeader.LengthOctets + question.Name.Length, 4);
        BinaryPrimitives.WriteUInt16BigEndian(rest, (ushort)question.Type);
        BinaryPrimitives.WriteUInt16BigEndian(rest[2..], (ushort)question.Class);
    }

    /// <summary>A question of the query's type for one of its names, in its view.</summary>
    private static Question QuestionOf(in Query query, ref readonly LookupName name, View view)
    {
        QuestionFlags flags = (query.Edns.DnssecOk ? QuestionFlags.DnssecOk : 0)
            | ((query.Flags & MessageHeader.CheckingDisabled) != 0 ? QuestionFlags.CheckingDisabled : 0);
        return new(in name, query.Type, query.Class, flags, view.Number);
    }
}
