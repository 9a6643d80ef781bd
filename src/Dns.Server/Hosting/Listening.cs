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
        foreach (IPEndPoint endPoint in listeners.EndPoints)
            logger.Listening(endPoint);
        int granted = listeners.ReadUdpCounters().ReceiveBufferBytes;
        if (SocketBinding.BufferNote(udp.ReceiveBufferBytes, granted) is { } grant) logger.SmallReceiveBuffer(grant);
        return Task.CompletedTask;
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await listeners.StopAsync(stop.Left).ConfigureAwait(false);
        logger.Stopped();
    }
}
