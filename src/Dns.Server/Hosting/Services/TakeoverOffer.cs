using System.Net.Sockets;
using System.Runtime.Versioning;
using Dns.Protocol;
using Dns.Replication;
using Dns.Transport;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>
/// Lets a server that was started with <c>--takeover</c> have the sockets of this one. This one answers until the other has
/// read its zones, answers too and says so; then this one stops. Should the other end before, nothing has changed.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class TakeoverOffer(
    ListenerSet listeners, ServiceReports reports, IHostApplicationLifetime lifetime, ILogger<TakeoverOffer> logger,
    ZoneStatusReader zones, IExceptionSink exceptions, TakeoverRequest? request = null, CacheFile? cache = null,
    DynamicZones? updates = null) : BackgroundService
{
    private static readonly TimeSpan Drain = TimeSpan.FromSeconds(1);

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        try
        {
            if (request is not null)
            {
                await reports.FirstServing.WaitAsync(stoppingToken).ConfigureAwait(false);
                await request.CompleteAsync(stoppingToken).ConfigureAwait(false);
                // What the server before took since its zones were read here.
                updates?.CatchUp();
                logger.TookOver();
                // A service manager that has not followed to this process before has not heard it.
                reports.OnServing(zones.ReadTotals());
            }
            await OfferAsync(stoppingToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The server stops: there is nothing left to hand over.
        }
        catch (SocketException error)
        {
            logger.NoTakeover(error.Message);
        }
        catch (Exception error)
        {
            // It would stop the server.
            exceptions.Report(ServerLoop.Takeover, error, default);
        }
    }

    private async Task OfferAsync(CancellationToken stopping)
    {
        if (listeners.EndPoints.Count == 0) return;
        using Socket offer = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        offer.Bind(TakeoverName.Of(listeners.EndPoints[0]));
        offer.Listen(1);
        while (true)
        {
            using Socket successor = await offer.AcceptAsync(stopping).ConfigureAwait(false);
            if (!await HandOverAsync(successor, stopping).ConfigureAwait(false)) continue;
            // The name is free before the connection ends, which lets the successor offer in its turn.
            offer.Dispose();
            // Connections that this server has accepted get their answers here.
            listeners.StopAccepting();
            await Task.Delay(Drain, stopping).ConfigureAwait(false);
            lifetime.StopApplication();
            await Task.Delay(Timeout.Infinite, stopping).ConfigureAwait(false);
        }
    }

    private async Task<bool> HandOverAsync(Socket successor, CancellationToken stopping)
    {
        try
        {
            if (!DescriptorPassing.IsTrusted(successor, out int process))
            {
                logger.TakeoverRefused();
                return false;
            }
            // It reads the cache once it has the sockets.
            cache?.Save();
            DescriptorPassing.Send(successor, listeners.Handles);
            logger.TakeoverBegins();
            byte[] word = new byte[1];
            if (await successor.ReceiveAsync(word, stopping).ConfigureAwait(false) == 1)
            {
                reports.OnHandedOver(process);
                return true;
            }
        }
        catch (SocketException error)
        {
            logger.SuccessorGone(error.Message);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            exceptions.Report(ServerLoop.Takeover, error, default);
        }
        logger.TakeoverFailed();
        return false;
    }
}
