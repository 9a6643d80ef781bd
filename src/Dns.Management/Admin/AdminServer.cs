using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace Dns.Management.Admin;

/// <summary>
/// The web server of the admin port: Kestrel without the framework's host. It starts when the zones are loaded or soon
/// after the start, so that it does not delay the first answers.
/// </summary>
public sealed class AdminServer(
    AdminPort port, IServiceProvider services, IZoneControl zones, TimeProvider clock, IExceptionSink exceptions,
    ILogger<AdminServer> logger)
    : IHostedService, IDisposable
{
    private static readonly TimeSpan Wait = TimeSpan.FromMilliseconds(500);

    private const int TriesBeforeWarning = 60;

    private readonly CancellationTokenSource _stopping = new();
    private readonly AdminConnections _connections = new();
    private KestrelServer? _server;
    private AdminApplication? _application;
    private Task _starting = Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _starting = Task.Run(StartSoonAsync, CancellationToken.None);
        return Task.CompletedTask;
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _starting.ConfigureAwait(false);
        // Open connections are cut, so that the stop is fast.
        if (_server is not null) await _server.StopAsync(new CancellationToken(canceled: true)).ConfigureAwait(false);
    }

    public void Dispose()
    {
        _server?.Dispose();
        _application?.Dispose();
        _stopping.Dispose();
    }

    private async Task StartSoonAsync()
    {
        try
        {
            Task wait = Task.Delay(Wait, clock, _stopping.Token);
            await Task.WhenAny(zones.Loaded, wait).ConfigureAwait(false);
            await BindAsync(_stopping.Token).ConfigureAwait(false);
            if (_stopping.IsCancellationRequested) return;
            _server = Create();
            _application = new AdminApplication(services, _connections);
            await _server.StartAsync(_application, _stopping.Token).ConfigureAwait(false);
            logger.AdminPort(port.EndPoint);
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // The server continues without it.
            if (!_stopping.IsCancellationRequested) logger.AdminPortFailed(error);
        }
    }

    /// <summary>Until its end, the replaced server has the port.</summary>
    private async Task BindAsync(CancellationToken stopping)
    {
        for (int tries = 1; !port.IsBound && !port.TryBind(out string? problem); tries++)
        {
            if (tries == TriesBeforeWarning) logger.AdminPortTaken(problem);
            await Task.Delay(Wait, clock, stopping).ConfigureAwait(false);
        }
    }

    private KestrelServer Create()
    {
        KestrelServerOptions options = new();
        Limit(options);
        SocketTransportOptions transport = new() { CreateBoundListenSocket = _ => port.Socket };
        SocketTransportFactory sockets = new(Options.Create(transport), NullLoggerFactory.Instance);
        return new KestrelServer(
            Options.Create(options), new AdminListenerFactory(sockets, _connections, clock, exceptions),
            NullLoggerFactory.Instance);
    }

    private void Limit(KestrelServerOptions options)
    {
        options.AddServerHeader = false;
        KestrelServerLimits limits = options.Limits;
        limits.MaxRequestBodySize = 0;
        limits.MaxRequestLineSize = 2048;
        limits.MaxRequestBufferSize = 16 * 1024;
        limits.MaxRequestHeadersTotalSize = 8 * 1024;
        limits.MaxRequestHeaderCount = 50;
        limits.MaxResponseBufferSize = 256 * 1024;
        // Also the timeout of the first request.
        limits.KeepAliveTimeout = TimeSpan.FromSeconds(5);
        limits.RequestHeadersTimeout = TimeSpan.FromSeconds(5);
        limits.MinResponseDataRate = new MinDataRate(bytesPerSecond: 1024, gracePeriod: TimeSpan.FromSeconds(5));
        options.Listen(port.EndPoint, listen =>
        {
            listen.Protocols = HttpProtocols.Http1;
            listen.Use(_connections.Around);
        });
    }
}
