using Dns.Answering;
using Dns.Protocol;
using Dns.Replication;

namespace Dns.Server;

/// <summary>Joins NOTIFY to the responder, and follows the settings.</summary>
internal sealed class NotifyHandler : IMessageHandler
{
    private readonly IncomingNotifies _notifies;

    /// <summary>Makes a handler.</summary>
    /// <param name="time">Says whether signatures are of now.</param>
    /// <param name="options">The keys.</param>
    public NotifyHandler(TimeProvider time, ServerOptions options)
    {
        _notifies = new IncomingNotifies(time);
        Use(options);
    }

    /// <summary>Takes the keys.</summary>
    public void Use(ServerOptions options) => _notifies.Keys = new TsigKeyRing(options.TsigKeys);

    /// <inheritdoc/>
    public int Respond(scoped in HandledMessage message)
    {
        QueryOrigin origin = message.Origin;
        return _notifies.Answer(message.Room, message.QueryOctets, ref origin, message.Zones);
    }
}
