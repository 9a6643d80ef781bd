using Microsoft.Extensions.Logging;

namespace Dns.Features.Updates;

/// <summary>Dynamic updates (RFC 2136) of zones of files, and of back ends with a writer.</summary>
public sealed class UpdateFeature : Feature, IFeature, IMessageHandler
{
    private readonly DynamicUpdates _updates;
    private volatile UpdatePolicy _allowed = UpdatePolicy.Empty;

    /// <param name="directory">The state directory; null = none, and no updates.</param>
    /// <param name="history">Receives the deltas of journals at the start.</param>
    public UpdateFeature(
        string? directory, ServerOptions options, ZoneHistory history, TimeProvider time, ILoggerFactory loggers,
        Handover handover)
    {
        UpdateLog log = new(loggers.CreateLogger<UpdateLog>(), time);
        Zones = new DynamicZones(
            directory, MayChange, log, time, LimitsOf(options), new DiskFiles(DirectorySync.Flush))
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

    public static IEnumerable<SettingWarning> FindWarnings(ServerOptions options, ZoneExpansion zones) =>
        SharedZoneFiles.FindWarnings(options, zones);

    public static Feature Create(ServerParts parts)
    {
        TransferFeature transfers = parts.Get<TransferFeature>();
        UpdateFeature feature = new(parts.StateDirectory, parts.Options, transfers.Transfers.History, parts.Clock,
            parts.Loggers, parts.Handover);
        feature.Zones.Follow(parts.Registry);
        transfers.HasJournal = zone => feature.Zones.StatusOf(zone) is { JournalCount: > 0 };
        return feature;
    }

    public override IZoneOverlay Overlay => Zones;

    public override MessageHandlers AddTo(MessageHandlers handlers) => handlers.With(Opcode.Update, this);

    /// <summary>Sets the keys, and the default update policy.</summary>
    public override void Use(ServerOptions options)
    {
        _allowed = new UpdatePolicy(options.AllowUpdate);
        _updates.Keys = new TsigKeyRing(options.TsigKeys);
    }

    public override IReadOnlyList<DomainName> CatchUp() => Zones.CatchUp();

    public ReplyOutcome Respond(scoped in HandledMessage message)
    {
        QueryOrigin origin = message.Origin;
        int octets =
            _updates.Receive(message.Room, message.QueryOctets, ref origin, message.Zones, out UpdateRequest? request);
        if (request is null) return ReplyOutcome.Of(octets);
        _updates.Queue(request, message.TakePath());
        return ReplyOutcome.Deferred;
    }

    public override ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot)
    {
        UpdateState? updates = Zones.StatusOf(slot.Name);
        return status with
        {
            AllowUpdate = slot.Source is null or IZoneFiles or { Writer: not null }
                ? [.. AllowedOf(slot).Rules.Select(TextOf)] : [],
            IsFrozen = updates?.IsFrozen ?? false,
            JournalChanges = updates?.JournalCount,
            JournalBytes = updates?.JournalOctets,
            Conflict = updates?.Conflict?.Text,
            JournalLoss = updates?.Loss?.ToString(),
        };
    }

    public override void AddTo(MetricSet metrics)
    {
        metrics.Counter("dnsd_updates_total", "UPDATE messages, by result.", "result", () =>
            Enum.GetValues<UpdateResult>().Select(result => new NamedCount(
                result == UpdateResult.NotAuth ? "not_auth" : result.ToString().ToLowerInvariant(),
                Zones.Counters.Of(result))));
        metrics.Gauge("dnsd_updates_waiting", "UPDATE messages that wait for the writer of their zone.",
            () => Zones.Waiting);
    }

    public override IEnumerable<StatusWarning> FindWarnings()
    {
        if (Zones.Frozen is { Count: > 0 } frozen)
            yield return StatusWarning.OfZones(false, frozen.Count,
                "frozen: updates are refused until \"dnsd zone thaw\"", frozen.Select(zone => $"{zone}"));
        if (Zones.Lossy is { Count: > 0 } lossy)
            yield return StatusWarning.OfZones(true, lossy.Count, "with lost updates: the journal was damaged",
                lossy.Select(zone => $"{zone}"));
        if (Zones.Unsaved is { Count: > 0 } unsaved)
        {
            string[] lines = [.. unsaved.Select(one => $"{one.Zone}: {one.Reason}").Order(StringComparer.Ordinal)];
            yield return StatusWarning.OfZones(true, lines.Length,
                $"whose last updates could not be saved and got SERVFAIL: {lines[0]}", lines);
        }
    }

    public override void AddTo(CommandTable commands)
    {
        UpdateReplies replies = new(new UpdateOperations(
            commands.Zones, commands.Control, Zones, commands.Loggers.CreateLogger<UpdateOperations>()));
        commands.Add("zone sync", replies.Synchronise);
        commands.Add("zone freeze", replies.Freeze);
        commands.Add("zone thaw", replies.Thaw);
        commands.Add("zone journal", replies.Journal);
    }

    private UpdatePolicy AllowedOf(ZoneSlot slot) => slot.Policy?.AllowUpdate ?? _allowed;

    /// <summary>Whether a zone has an update policy with rules.</summary>
    // A zone that is read before it is claimed has no source yet.
    private bool MayChange(ZoneSlot slot) => slot.Source is null or IZoneFiles && AllowedOf(slot).Rules.Count > 0;

    private static string TextOf(UpdateRule rule)
    {
        string text = rule.From.ToString();
        if (rule.Names is { } names) text += " for " + string.Join(' ', names);
        return rule.Types is { } types ? $"{text} with {string.Join(' ', types.Select(RRTypeText.Format))}" : text;
    }
}
