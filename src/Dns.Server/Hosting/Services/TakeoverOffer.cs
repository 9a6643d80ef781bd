using System.Net.Sockets;
using System.Runtime.Versioning;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Server.Hosting.Services;

/// <summary>
/// Passes the sockets to a server started with <c>--takeover</c>. This one answers until the other has read its zones,
/// answers too and says so; then this one stops. If the other ends before, nothing has changed.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class TakeoverOffer(
    ListenerSet listeners, ServiceReports reports, IHostApplicationLifetime lifetime, ILogger<TakeoverOffer> logger,
    ZoneStatusReader zones, IExceptionSink exceptions, SharedFiles files, TimeProvider clock,
    TakeoverRequest? request = null)
    : BackgroundService
{
    private static readonly TimeSpan Drain = TimeSpan.FromSeconds(1);

    // Any local user may connect, tens of thousands of times a second.
    private static readonly TimeSpan AfterFailure = TimeSpan.FromMilliseconds(10);

    private readonly BoundedLines _refused = new(clock);
    private Socket? _offer, _successor;

    public override Task StartAsync(CancellationToken cancellationToken)
    {
        // Before the server reports that it serves: a successor may connect at once.
        if (request is null) Open();
        return base.StartAsync(cancellationToken);
    }

    public override void Dispose()
    {
        _offer?.Dispose();
        _successor?.Dispose();
        base.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        try
        {
            if (request is not null)
            {
                await reports.FirstServing.WaitAsync(stoppingToken).ConfigureAwait(false);
                await request.CompleteAsync(stoppingToken).ConfigureAwait(false);
                await files.CatchUpAsync(stoppingToken).ConfigureAwait(false);
                Open();
                logger.TookOver();
                // A service manager that has not noticed this process yet has missed it.
                reports.OnServing(zones.ReadTotals());
                files.CatchUpSettings(stoppingToken);
            }
            if (_offer is not null) await OfferAsync(_offer, stoppingToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The server stops: there is nothing left to pass on.
        }
        catch (SocketException error)
        {
            logger.NoTakeover(error.Message);
        }
        catch (Exception error)
        {
            // It would stop the server.
            exceptions.Report(TakeoverName.LoopName, error, default);
        }
        finally
        {
            _offer?.Dispose();
        }
    }

    private void Open()
    {
        if (listeners.EndPoints.Count == 0) return;
        Socket offer = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            offer.Bind(TakeoverName.Of(listeners.EndPoints[0]));
            offer.Listen(1);
            _offer = offer;
        }
        catch (SocketException error)
        {
            offer.Dispose();
            logger.NoTakeover(error.Message);
        }
    }

    private async Task OfferAsync(Socket offer, CancellationToken stopping)
    {
        while (true)
        {
            // It stays open until all files are written: its end is what the successor waits for.
            _successor = await offer.AcceptAsync(stopping).ConfigureAwait(false);
            if (!await TransferAsync(_successor, stopping).ConfigureAwait(false))
            {
                _successor.Dispose();
                await Task.Delay(AfterFailure, clock, stopping).ConfigureAwait(false);
                continue;
            }
            files.HandOver();
            // The name is released before the connection ends, so that the successor can offer in turn.
            offer.Dispose();
            // Accepted connections are answered here.
            listeners.StopAccepting();
            await Task.Delay(Drain, stopping).ConfigureAwait(false);
            lifetime.StopApplication();
            await Task.Delay(Timeout.Infinite, stopping).ConfigureAwait(false);
        }
    }

    private async Task<bool> TransferAsync(Socket successor, CancellationToken stopping)
    {
        try
        {
            if (!DescriptorPassing.IsTrusted(successor, out int process))
            {
                if (_refused.TryTake(out string more)) logger.TakeoverRefused(more);
                return false;
            }
            // It reads the cache after receiving the sockets.
            files.Save();
            DescriptorPassing.Send(successor, listeners.Handles);
            logger.TakeoverBegins();
            byte[] word = new byte[1];
            if (await successor.ReceiveAsync(word, stopping).ConfigureAwait(false) == 1)
            {
                reports.OnTakenOver(process);
                return true;
            }
        }
        catch (SocketException error)
        {
            logger.SuccessorGone(error.Message);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            exceptions.Report(TakeoverName.LoopName, error, default);
        }
        logger.TakeoverFailed();
        return false;
    }
}
