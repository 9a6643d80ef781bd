using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Server.Hosting;

/// <summary>Serves the bound sockets while the host runs.</summary>
internal sealed class Listening(
    ListenerSet listeners, IMessageResponder responder, UdpOptions udp, StopTime stop,
    ILogger<Listening> logger) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        foreach (string note in listeners.Notes) logger.ListenerNote(note);
        listeners.Start(responder, note => logger.ListenerNote(note));
        foreach (ListenerAddress listener in listeners.Listeners)
            logger.Listening(listener.EndPoint, ProtocolOf(listener.Kind));
        int granted = listeners.ReadUdpCounters().ReceiveBufferBytes;
        if (SocketBinding.BufferNote(udp.ReceiveBufferBytes, granted) is { } grant) logger.SmallReceiveBuffer(grant);
        return Task.CompletedTask;
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await listeners.StopAsync(stop.Left).ConfigureAwait(false);
        logger.Stopped();
    }

    /// <summary>The protocol of a kind, as written in the log.</summary>
    internal static string ProtocolOf(ListenerKind kind) =>
        kind == ListenerKind.Plain ? "UDP and TCP" : kind.ToString().ToUpperInvariant();
}
