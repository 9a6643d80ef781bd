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
        context.Options = _options;
        context.Worker = worker;
        context.Counts = Counters.Of(worker);
        context.ZoneSlot = ZoneChoice.Find(context.Zones, in query.Name, query.Type, out context.ApexSkip);
        ReplyOutcome reply = Answer(ref context, ref source, steps);
        // Counted on receipt. Once deferred again, the query belongs to the source, which may have answered it.
        if (!reply.IsDeferred) context.Counts.CountAnswer(ref context, reply);
        return reply;
    }
}
