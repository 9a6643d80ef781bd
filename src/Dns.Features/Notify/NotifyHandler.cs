namespace Dns.Features.Notify;

/// <summary>Handles NOTIFY for the responder, with the current settings.</summary>
internal sealed class NotifyHandler : IMessageHandler
{
    private readonly IncomingNotifies _notifies;

    /// <param name="time">The clock, for signatures.</param>
    public NotifyHandler(TimeProvider time, ServerOptions options)
    {
        _notifies = new IncomingNotifies(time);
        Use(options);
    }

    /// <summary>Whether zones may be served soon that are unknown now.</summary>
    public Func<DomainName, bool>? MayLackZones
    {
        set => _notifies.MayLackZones = value;
    }

    /// <summary>Sets the keys.</summary>
    public void Use(ServerOptions options) => _notifies.Keys = new TsigKeyRing(options.TsigKeys);

    public ReplyOutcome Respond(scoped in HandledMessage message)
    {
        QueryOrigin origin = message.Origin;
        return ReplyOutcome.Of(_notifies.Answer(message.Room, message.QueryOctets, ref origin, message.Zones));
    }
}
