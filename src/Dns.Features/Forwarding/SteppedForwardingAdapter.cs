namespace Dns.Features.Forwarding;

/// <summary>A <see cref="ForwardingAdapter"/> with the steps of features.</summary>
public sealed class SteppedForwardingAdapter<TSteps>(
    LiveResponder responder, Forwarder forwarder, AnswerTimes? answerTimes, TSteps steps)
    : ForwardingAdapter(responder, forwarder, answerTimes)
    where TSteps : struct, IAnswerSteps
{
    public override void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths)
    {
        ForwarderSource source = new(this, batch.Now);
        Responder.RespondToBatch(in batch, paths, ref source, steps);
    }

    public override int RespondToMessage(
        Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths)
    {
        ForwarderSource source = new(this, origin.Now);
        return Responder.Respond(message, queryOctets, ref origin, paths, ref source, steps).Octets;
    }

    internal override ReplyOutcome Resume(Span<byte> room, in DeferredQuery query, ref CompletedSource source) =>
        Responder.Resume(room, in query, ref source, steps);
}
