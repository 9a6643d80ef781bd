using Dns.Transport;

namespace Dns.Telemetry;

/// <summary>Stands between the transports and what answers, and has every answer watched.</summary>
internal sealed class TimedResponder(IMessageResponder inner, AnswerTimes answerTimes) : IMessageResponder
{
    /// <inheritdoc/>
    public void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths)
    {
        inner.RespondToDatagrams(in batch, paths);
        answerTimes.OnDatagrams(in batch);
    }

    /// <inheritdoc/>
    public int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths)
    {
        int length = inner.RespondToMessage(message, queryOctets, ref origin, paths);
        if (length > 0) answerTimes.OnAnswer(message[..length], ref origin, AnswerOrigin.Stream);
        return length;
    }
}
