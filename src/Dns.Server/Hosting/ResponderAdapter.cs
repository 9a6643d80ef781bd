namespace Dns.Server.Hosting;

/// <summary>Connects the transports to the responder, which do not reference each other.</summary>
/// <param name="steps">The steps of features; <see cref="NoSteps"/> without any.</param>
internal sealed class ResponderAdapter<TSteps>(LiveResponder responder, TSteps steps) : IMessageResponder
    where TSteps : struct, IAnswerSteps
{
    public void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths)
    {
        NoSource none = default;
        responder.Current.RespondToBatch(in batch, paths, ref none, steps);
    }

    public int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths)
    {
        NoSource none = default;
        return responder.Current.Respond(message, queryOctets, ref origin, paths, ref none, steps).Octets;
    }
}
