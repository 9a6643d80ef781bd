using System.Diagnostics;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Dns.Management.Admin;

/// <summary>The pipeline of the admin port: <see cref="AdminRoutes"/>, then <see cref="AdminGate"/>.</summary>
/// <remarks>The framework's routing alone: a web application takes 3 MB and, at the start, 40 ms of CPU more.</remarks>
public sealed class AdminApplication : IHttpApplication<HttpContext>, IDisposable
{
    private readonly ServiceProvider _framework;
    private readonly AdminConnections _connections;
    private readonly RequestDelegate _pipeline;

    public AdminApplication(IServiceProvider services, AdminConnections connections)
    {
        _connections = connections;
        DiagnosticListener diagnostics = new(nameof(AdminApplication));
        _framework = new ServiceCollection().AddRoutingCore().AddMetrics()
            .AddSingleton<ILoggerFactory>(NullLoggerFactory.Instance)
            .AddSingleton(typeof(ILogger<>), typeof(NullLogger<>))
            .AddSingleton(diagnostics).AddSingleton<DiagnosticSource>(diagnostics).BuildServiceProvider();
        ApplicationBuilder pipeline = new(_framework);
        AdminAccess access = services.GetRequiredService<AdminAccess>();
        pipeline.UseRouting();
        pipeline.Use(next => new AdminGate(access, next).PassAsync);
        pipeline.UseEndpoints(ActivatorUtilities.CreateInstance<AdminRoutes>(services).Map);
        _pipeline = pipeline.Build();
    }

    public HttpContext CreateContext(IFeatureCollection contextFeatures)
    {
        _connections.Note(contextFeatures, isBusy: true);
        return new DefaultHttpContext(contextFeatures);
    }

    public Task ProcessRequestAsync(HttpContext context) => _pipeline(context);

    public void DisposeContext(HttpContext context, Exception? exception) =>
        _connections.Note(context.Features, isBusy: false);

    public void Dispose() => _framework.Dispose();
}
