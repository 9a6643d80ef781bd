namespace Dns.Answering;

/// <content>Answers from other sources, at once or deferred.</content>
public sealed partial class Responder
{
    /// <summary>Answers a deferred query without further steps.</summary>
    /// <inheritdoc cref="Resume{TSource, TSteps}"/>
    public ReplyOutcome Resume<TSource>(Span<byte> message, scoped in DeferredQuery deferred, ref TSource source)
        where TSource : IAnswerSource, allows ref struct =>
        Resume(message, in deferred, ref source, default(NoSteps));

    /// <summary>Answers a deferred query.</summary>
    /// <param name="message">Room for the answer, at least 512 octets; overwritten.</param>
    /// <param name="steps">Those with which it was received.</param>
    /// <returns>The answer, which the caller sends along the query's path; <see cref="ReplyOutcome.Deferred"/> if the
    /// source has deferred the query again.</returns>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public ReplyOutcome Resume<TSource, TSteps>(
        Span<byte> message, scoped in DeferredQuery deferred, ref TSource source, TSteps steps)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out Query query);
        deferred.Restore(message, ref query);
        QueryOrigin origin = deferred.Origin;
        Worker worker = Worker.OfThread;
        QueryContext context = default;
        context.Message = message;
        context.Query = ref Unscoped.Of(in query);
        context.Client = ref Unscoped.Of(in origin.Client);
        context.Transport = origin.Transport;
        context.Now = origin.Now;
        // The view that it was in, whatever views there are now.
        EnterView(ref context, deferred.View);
        context.Worker = worker;
        context.Counts = Counters.Of(worker);
        context.ZoneSlot = ZoneChoice.Find(context.Zones, in query.Name, query.Type, out context.ApexSkip);
        ReplyOutcome reply = Answer(ref context, ref source, steps);
        // Counted on receipt. Once deferred again, the query belongs to the source, which may have answered it.
        if (!reply.IsDeferred) context.Counts.CountAnswer(ref context, reply);
        return reply;
    }

    /// <summary>Answers a forwarded name from the cache, or defers the query until an upstream answers.</summary>
    private ReplyOutcome AnswerForwarded<TSource, TSteps>(
        scoped ref QueryContext context, ref TSource source, TSteps steps)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        ref Query query = ref context.Query;
        query.IsRelayed = true;
        if (query.Offered == 0) return Refuse(ref context, ExtendedErrorCode.Prohibited);
        Question question = QuestionOf(in query, in query.Name, context.View);
        int room = context.Limit - OptOctets(ref context);
        bool recursionDesired = (query.Flags & MessageHeader.RecursionDesired) != 0;
        Span<byte> destination = context.Message[query.QuestionEnd..room];
        if (source.TryCopy(question, recursionDesired, destination, out RelayedAnswer answer))
        {
            if (TSteps.HasPolicy && DecideForwarded(ref context, in query.Name, context.Message, query.QuestionEnd,
                in answer, steps) is { IsHandled: true } decided)
                return decided;
            bool isFollowed = answer.EndsInAlias && !answer.DoesNotFit && recursionDesired;
            return isFollowed ? AnswerFollowing(ref context, ref source, steps, ChainStart.Forwarded)
                : ReplyOutcome.Of(FinishRelayed(ref context, in answer));
        }
        // Without RD, only cached answers are given (RFC 1034 §4.3.1).
        if (!recursionDesired) return Refuse(ref context, ExtendedErrorCode.NotAuthoritative);
        if (TryDefer(ref context, question, ref source, out DeferralRefusal refusal)) return ReplyOutcome.Deferred;
        return refusal.WantsProof ? FinishTruncated(ref context)
            : ReplyOutcome.Of(FinishEmpty(ref context, Rcode.ServFail, refusal.Reason));
    }

    private ReplyOutcome Refuse(scoped ref QueryContext context, ExtendedErrorCode reason) =>
        ReplyOutcome.Of(FinishEmpty(ref context, Rcode.Refused, reason));

    private static bool TryDefer<TSource>(
        scoped ref QueryContext context, scoped Question question, ref TSource source, out DeferralRefusal refusal)
        where TSource : IAnswerSource, allows ref struct
    {
        DeferredQuery deferred = DeferredQuery.Of(ref context);
        if (source.TryDefer(question, in deferred, out refusal)) return true;
        deferred.Path.Abandon();
        return false;
    }

    private int FinishRelayed(scoped ref QueryContext context, in RelayedAnswer answer)
    {
        ref Query query = ref context.Query;
        if (answer.DoesNotFit && context.Transport.IsReliable) return FinishEmpty(ref context, Rcode.ServFail);
        // AD goes to clients that set AD or DO (RFC 6840 §5.8).
        bool wantsAuthenticData = query.Edns.DnssecOk || (query.Flags & MessageHeader.AuthenticData) != 0;
        int flags = (answer.AuthenticData && wantsAuthenticData ? MessageHeader.AuthenticData : 0)
            | (answer.DoesNotFit ? MessageHeader.Truncated : 0);
        RecordCounts counts = default;
        (counts.Answer, counts.Authority, counts.Additional) =
            (answer.AnswerCount, answer.AuthorityCount, answer.AdditionalCount);
        context.Error = answer.Error;
        return Finish(ref context, query.QuestionEnd + answer.Octets, answer.Rcode, flags, counts);
    }

    /// <summary>Answers from the served zones, then from another source where an alias or a cut leads out.</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private ReplyOutcome AnswerFollowing<TSource, TSteps>(
        scoped ref QueryContext context, ref TSource source, TSteps steps, ChainStart start)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out NameCompressor names);
        Unsafe.SkipInit(out LookupName elsewhere);
        Span<ulong> visited = stackalloc ulong[Resolution.MaxVisited];
        ref Query query = ref context.Query;
        Resolution<TSteps> resolution = new(
            ref context, ref Unscoped.Of(in names), OptOctets(ref context), _options, steps, context.View.Forwarded!,
            ref Unscoped.Of(in elsewhere), Unscoped.Of(visited));
        if (start == ChainStart.Forwarded) resolution.BeginElsewhere();
        else
        {
            resolution.Resolve(context.ZoneSlot, context.ApexSkip);
            if (resolution.IsWhollyElsewhere)
            {
                if (TSteps.HasPolicy
                    && DecideQuery(ref context, in query.Name, isForwarded: true, steps) is { IsHandled: true } cut)
                    return cut;
                return AnswerForwarded(ref context, ref source, steps);
            }
        }
        while (resolution.ContinuesElsewhere)
        {
            Question question = QuestionOf(in query, in elsewhere, context.View);
            bool isDecided = elsewhere.Octets.SequenceEqual(query.Name.Octets);
            if (TSteps.HasPolicy && !isDecided
                && DecideQuery(ref context, in elsewhere, isForwarded: true, steps) is { IsHandled: true } decided)
                return decided;
            byte[] theirs = context.Worker.Message;
            Span<byte> destination = theirs.AsSpan(question.EndOffset);
            if (source.TryCopy(question, recursionDesired: true, destination, out RelayedAnswer answer))
            {
                if (TSteps.HasPolicy && !isDecided && DecideForwarded(ref context, in elsewhere, theirs,
                    question.EndOffset, in answer, steps) is { IsHandled: true } replaced)
                    return replaced;
                WriteQuestion(theirs, question);
                resolution.Append(theirs, question, in answer);
                continue;
            }
            if (TryDefer(ref context, question, ref source, out DeferralRefusal refusal)) return ReplyOutcome.Deferred;
            if (refusal.WantsProof) return FinishTruncated(ref context);
            resolution.Fail(refusal.Reason);
        }
        return ReplyOutcome.Of(FinishResolution(ref context, ref resolution));
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
