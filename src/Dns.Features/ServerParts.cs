using Microsoft.Extensions.Logging;

namespace Dns.Features;

/// <summary>What features are made of: the settings of the start, and what is there before the first feature.</summary>
public sealed class ServerParts(PublishedZones published)
{
    private readonly List<Feature> _made = [];

    /// <summary>The settings of the start. A feature keeps none of its lists of zones.</summary>
    public required ServerOptions Options { get; init; }

    /// <summary>The state directory, which may be missing; null = none.</summary>
    public required string? StateDirectory { get; init; }

    /// <summary>The bound sockets.</summary>
    public required ListenerSet Listeners { get; init; }

    /// <summary>Makes the loggers.</summary>
    public required ILoggerFactory Loggers { get; init; }

    /// <summary>Receives unexpected exceptions of loops.</summary>
    public required IExceptionSink Exceptions { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>Who may use the admin port; null = there is none.</summary>
    public AdminAccess? Admin { get; init; }

    /// <summary>Counts the answers.</summary>
    public required AnswerCounters Answers { get; init; }

    /// <summary>Whether this process may write and send for a zone yet.</summary>
    public Handover Handover { get; } = new();

    /// <summary>The zones of all sources.</summary>
    public ZoneRegistry Registry { get; } = new(published);

    /// <summary>A feature that stands above in the list.</summary>
    public T Get<T>() where T : Feature => _made.OfType<T>().FirstOrDefault()
        ?? throw new InvalidOperationException($"{typeof(T).Name} has to stand above in the list of features");

    /// <summary>Adds one that is made.</summary>
    internal void Add(Feature feature) => _made.Add(feature);
}
