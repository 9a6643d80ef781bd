using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;

namespace Dns.Features.Secondary;

/// <summary>
/// Zones that are copied from primaries: those of the settings and of catalogs, and their NOTIFY messages.
/// </summary>
public sealed class SecondaryFeature : Feature, IFeature, IMessageHandler
{
    private const string Folder = "zones";

    private readonly Lock _gate = new();
    private readonly ILogger _logger;
    private readonly IncomingNotifies _notifies;
    private ZoneRegistry? _registry;
    private readonly bool _isKept;
    private IReadOnlyList<SecondaryZoneOptions> _ofSettings = [], _members = [];

    /// <summary>Creates the source; its zones are claimed when it is started.</summary>
    /// <param name="stateDirectory">The state directory; null = none.</param>
    /// <param name="history">Receives the deltas read from disk.</param>
    /// <param name="log">Receives events.</param>
    /// <param name="logger">Receives warnings about the settings.</param>
    public SecondaryFeature(
        ServerOptions options, string? stateDirectory, ZoneHistory history, TimeProvider time, SecondaryLog log,
        ILogger<SecondaryFeature> logger)
    {
        _notifies = new IncomingNotifies(time);
        (_logger, _isKept) = (logger, stateDirectory is not null);
        IZoneCopies copies = stateDirectory is null
            ? new NoZoneCopies()
            : new ZoneCopyFolder(Path.Join(stateDirectory, Folder), new DiskFiles(DirectorySync.Flush));
        Zones = new SecondarySource("its primaries", SecondaryZones.OptionsOf(options), copies,
            SchemeNetwork.Create(), log, time);
        Zones.Restored += history.Seed;
        Use(options);
    }

    /// <summary>The source of the zones.</summary>
    public SecondarySource Zones { get; }

    public override IZoneSource Source => Zones;

    /// <summary>Whether zones may be served soon that are unknown now: their NOTIFY messages are not refused.</summary>
    public Func<DomainName, bool>? MayLackZones
    {
        set => _notifies.MayLackZones = value;
    }

    public static Feature Create(ServerParts parts)
    {
        SecondaryFeature feature = new(parts.Options, parts.StateDirectory,
            parts.Get<TransferFeature>().Transfers.History, parts.Clock,
            new SecondaryLog(parts.Loggers.CreateLogger<SecondaryLog>()),
            parts.Loggers.CreateLogger<SecondaryFeature>());
        ZoneRegistry registry = feature._registry = parts.Registry;
        // Or it came after the message was received.
        feature.MayLackZones = name => registry.Find(name) is not null;
        return feature;
    }

    public override MessageHandlers AddTo(MessageHandlers handlers) => handlers.With(Opcode.Notify, this);

    public ReplyOutcome Respond(scoped in HandledMessage message)
    {
        QueryOrigin origin = message.Origin;
        return ReplyOutcome.Of(_notifies.Answer(message.Room, message.QueryOctets, ref origin, message.Zones));
    }

    /// <summary>
    /// Sets the zones of the settings. Their names are claimed when this returns; after an exception the next call
    /// repeats the change.
    /// </summary>
    public override void Use(ServerOptions options)
    {
        _notifies.Keys = new TsigKeyRing(options.TsigKeys);
        lock (_gate)
        {
            _ofSettings = SecondaryZones.Of(options);
            Zones.Options = SecondaryZones.OptionsOf(options);
            if (_ofSettings.Count > 0 && !_isKept) _logger.SecondariesNotKept();
            Apply();
        }
    }

    public override SecondaryChanges Compare(ServerOptions options)
    {
        lock (_gate) return SecondaryChanges.Between(_ofSettings, SecondaryZones.Of(options));
    }

    /// <summary>
    /// Sets the members of catalogs; a zone of the settings takes precedence over a member. After an exception the next
    /// call repeats the change.
    /// </summary>
    public void UseMembers(IReadOnlyList<SecondaryZoneOptions> members)
    {
        lock (_gate)
        {
            if (members.Count + _members.Count == 0) return;
            _members = members;
            Apply();
        }
    }

    /// <summary>Transfers a zone again unconditionally, in the background.</summary>
    public void Retransfer(DomainName zone)
    {
        if (Zones.Find(zone) is { } found) _ = Zones.RefreshAsync(found, isRetransfer: true, CancellationToken.None);
    }

    private void Apply()
    {
        HashSet<DomainName> named = [.. _ofSettings.Select(zone => zone.Name)];
        // Saved copies of new zones are loaded in the background, and the rest transferred.
        Task change = Zones.UseAsync([.. _ofSettings, .. _members.Where(zone => !named.Contains(zone.Name))],
            CancellationToken.None);
        if (change.IsFaulted) change.GetAwaiter().GetResult();
    }

    public override IReadOnlyList<DomainName> CatchUp()
    {
        Zones.CatchUp();
        return [];
    }

    public override void Dispose() => Zones.Dispose();

    public override string? FindObstacle(DomainName zone) => _registry?.Find(zone) is SecondaryZone
        ? "it is a secondary, take it out of the settings or its catalog first" : null;

    public override void AddTo(CommandTable commands)
    {
        commands.Add("zone refresh", call => Refresh(commands.Zones, call, isWhole: false));
        commands.Add("zone retransfer", call => Refresh(commands.Zones, call, isWhole: true));
    }

    /// <summary>Queries the primaries of a zone for a newer version, and waits for it.</summary>
    private static ControlReply Refresh(ZoneStatusReader zones, ControlCall call, bool isWhole)
    {
        DomainName zone = call.Name(0);
        if (ZoneOperations.Find(zones, zone) is not SecondaryZone { Source: SecondarySource source } secondary)
            throw new OperationException(OperationError.Invalid,
                $"zone {zone} is no secondary: there is no primary to ask");
        TransferFailure? failure =
            source.RefreshAsync(secondary, isWhole, call.Cancellation).GetAwaiter().GetResult();
        if (failure is null) return ZoneReplies.Reply(call, zones.Read(zone)!);
        string served = secondary.Zone is { } data ? $"serial {data.Serial} is still served" : "it is not served";
        throw new OperationException(OperationError.Rejected, $"zone {zone}: {failure.Message}; {served}");
    }

    public override void AddTo(MetricSet metrics)
    {
        SecondaryCounters counters = Zones.Counters;
        metrics.Counter("dnsd_refreshes_total",
            "Refreshes of secondaries: responses of primaries to SOA and transfer queries, by result.", "result",
            () => ResultsOf(counters));
        metrics.Counter("dnsd_transfers_in_bytes_total", "Octets of served incoming transfers.",
            () => counters.Octets);
        metrics.Counter("dnsd_transfers_in_records_total", "Records of served incoming transfers.",
            () => counters.Records);
        metrics.Counter("dnsd_notifies_received_total",
            "NOTIFY messages received for secondaries, accepted or refused.", "result",
            () => [new("taken", counters.Notifies), new("refused", counters.NotifiesRefused)]);
        IEnumerable<Measurement<long>> EachReplica(Func<ZoneReplica, long?> read) =>
            metrics.EachZone(zone => zone is IReplicatedZone copy ? read(copy.Replica) : null);
        metrics.Gauge("dnsd_zone_confirmed_timestamp_seconds",
            "When a primary last confirmed the version of a secondary, in seconds since 1970.",
            () => EachReplica(replica => replica.ConfirmedAt?.ToUnixTimeSeconds()));
        metrics.Gauge("dnsd_zone_expires_timestamp_seconds",
            "When a secondary expires unless a primary confirms it, in seconds since 1970.",
            () => EachReplica(replica => replica.Expires?.ToUnixTimeSeconds()));
    }

    private static IEnumerable<NamedCount> ResultsOf(SecondaryCounters counters)
    {
        yield return new("axfr", counters.Whole);
        yield return new("ixfr", counters.Incremental);
        yield return new("current", counters.UpToDate);
        foreach (TransferFailureKind kind in Enum.GetValues<TransferFailureKind>())
            if (WordOf(kind) is { } word) yield return new(word, counters.Failed(kind));
    }

    private static string? WordOf(TransferFailureKind kind) => kind switch
    {
        TransferFailureKind.Unreachable => "unreachable",
        TransferFailureKind.EndedEarly => "ended_early",
        TransferFailureKind.Refused => "refused",
        TransferFailureKind.Signature => "signature",
        TransferFailureKind.WrongReply => "wrong_reply",
        TransferFailureKind.Malformed => "malformed",
        TransferFailureKind.SerialBehind => "serial_behind",
        TransferFailureKind.TooLarge => "too_large",
        TransferFailureKind.DoesNotFit => "does_not_fit",
        TransferFailureKind.BadZone => "bad_zone",
        TransferFailureKind.NotStored => "not_kept",
        _ => null,
    };
}

