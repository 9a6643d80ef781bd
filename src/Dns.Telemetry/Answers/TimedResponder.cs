namespace Dns.Telemetry.Answers;

/// <summary>A responder between the transports and the one that answers: times every answer.</summary>
public sealed class TimedResponder(IMessageResponder inner, AnswerTimes answerTimes) : IMessageResponder
{
    public void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths)
    {
        inner.RespondToDatagrams(in batch, paths);
        answerTimes.OnDatagrams(in batch);
    }

    public int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths)
    {
        int length = inner.RespondToMessage(message, queryOctets, ref origin, paths);
        if (length > 0) answerTimes.OnAnswer(message[..length], ref origin, AnswerOrigin.Stream);
        return length;
    }
}
