using Microsoft.Extensions.Logging;

namespace Dns.Features.Updates;

/// <summary>Handles dynamic updates for the responder, with the current settings.</summary>
internal sealed class UpdateHandler : IMessageHandler
{
    private readonly DynamicUpdates _updates;
    private volatile UpdatePolicy _allowed = UpdatePolicy.Empty;

    /// <param name="directory">The state directory; null = none, and no updates.</param>
    /// <param name="history">Receives the deltas of journals at the start.</param>
    public UpdateHandler(string? directory, ServerOptions options, ZoneHistory history, TimeProvider time,
        ILoggerFactory loggers, Handover handover)
    {
        UpdateLog log = new(loggers.CreateLogger<UpdateLog>(), time);
        Zones = new DynamicZones(
            directory, MayChange, log, time, LimitsOf(options),
            new DiskFiles(DirectorySync.Flush))
        {
            History = history, Handover = handover,
        };
        _updates = new DynamicUpdates(Zones, time, AllowedOf);
        Use(options);
    }

    /// <summary>Limits by the settings; that of records, if an operator has set it, replaces the one of BIND.</summary>
    internal static UpdateOptions LimitsOf(ServerOptions options)
    {
        UpdateOptions limits = new() { Limits = options.ZoneLimits };
        return options.MaxRecordsPerType == ZoneLimits.Default.RecordsPerType
            ? limits : limits with { MaxRecordsOfType = options.MaxRecordsPerType };
    }

    /// <summary>The dynamically updated zones.</summary>
    public DynamicZones Zones { get; }

    /// <summary>Sets the keys, and the default update policy.</summary>
    public void Use(ServerOptions options)
    {
        _allowed = new UpdatePolicy(options.AllowUpdate);
        _updates.Keys = new TsigKeyRing(options.TsigKeys);
    }

    public ReplyOutcome Respond(scoped in HandledMessage message)
    {
        QueryOrigin origin = message.Origin;
        int octets =
            _updates.Receive(message.Room, message.QueryOctets, ref origin, message.Zones, out UpdateRequest? request);
        if (request is null) return ReplyOutcome.Of(octets);
        _updates.Queue(request, message.TakePath());
        return ReplyOutcome.Deferred;
    }

    /// <summary>The update policy of a zone that can be updated.</summary>
    public UpdatePolicy AllowedOf(ZoneSlot slot) => slot.Policy?.AllowUpdate ?? _allowed;

    /// <summary>Whether a zone has an update policy with rules.</summary>
    // A zone that is read before it is claimed has no source yet.
    public bool MayChange(ZoneSlot slot) => slot.Source is null or IZoneFiles && AllowedOf(slot).Rules.Count > 0;
}
