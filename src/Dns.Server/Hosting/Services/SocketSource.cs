using System.Collections;
using Microsoft.Extensions.DependencyInjection;

namespace Dns.Server.Hosting.Services;

/// <summary>
/// The origin of the sockets at a start: the service manager, the replaced server, or none, so that all are bound.
/// Disposed after binding, which closes unused ones.
/// </summary>
internal sealed class SocketSource : IDisposable
{
    private TakeoverRequest? _takeover;

    private SocketSource(IReadOnlyList<ListenerAddress> listen) => Listeners = listen;

    /// <summary>The addresses to serve.</summary>
    public IReadOnlyList<ListenerAddress> Listeners { get; private set; }

    /// <summary>The sockets; null = none.</summary>
    public InheritedSockets? Inherited { get; private set; }

    /// <summary>The process of the replaced server; null without one.</summary>
    public int? Replaced { get; private set; }

    /// <summary>The error that prevents the start.</summary>
    public IReadOnlyList<string> Problems { get; private set; } = [];

    /// <summary>Inherits the available sockets.</summary>
    public static SocketSource Of(SettingsArguments arguments, ServerOptions options, IDictionary environment)
    {
        SocketSource source = new(options.Listen);
        if (!arguments.TakesOver)
        {
            source.Inherited = ActivationSockets.Take(environment);
            source.Listeners = ActivationSockets.Listeners(options.Listen, source.Inherited);
            source.Problems = source.Inherited?.Problems ?? [];
        }
        else if (!OperatingSystem.IsLinux())
        {
            source.Problems = ["--takeover is for Linux; stop the running server first"];
        }
        else
        {
            source._takeover = TakeoverRequest.Send(options.Listen[0].EndPoint, out string? problem);
            source.Inherited = source._takeover?.Inherited;
            source.Replaced = source._takeover?.Process;
            source.Problems = problem is null ? source.Inherited!.Problems : [problem];
        }
        return source;
    }

    /// <summary>Registers the services that pass the sockets on, and complete a takeover.</summary>
    public IServiceCollection AddTo(IServiceCollection services)
    {
        if (!OperatingSystem.IsLinux()) return services;
        // Owned by the services from here on: the connection lives until the other server has stopped.
        if (_takeover is not null) services.AddSingleton(_takeover);
        _takeover = null;
        return services.AddSingleton<SharedFiles>().AddHostedService<TakeoverOffer>();
    }

    public void Dispose()
    {
        Inherited?.Dispose();
        if (OperatingSystem.IsLinux()) _takeover?.Dispose();
    }
}
