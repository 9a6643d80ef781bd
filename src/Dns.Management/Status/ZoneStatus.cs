using System.Text.Json.Serialization;

namespace Dns.Management.Status;

/// <summary>
/// The status of one zone for all interfaces: <c>dnsd zones</c>, <c>dnsd zone status</c>, the status page, metrics. Its
/// JSON names are a stable interface.
/// </summary>
public sealed record ZoneStatus
{
    public string Name { get; init; } = "";

    /// <summary>The view in which it is served.</summary>
    public string View { get; init; } = Answering.Views.View.DefaultName;

    /// <summary>The state in a word. Stale data is <c>serving</c> too: see <see cref="IsOutdated"/>.</summary>
    public string State { get; init; } = "";

    /// <summary>Whether the zone is primary or secondary.</summary>
    public string Role { get; init; } = "primary";

    /// <summary>The path of its file; empty if it has none.</summary>
    public string File { get; init; } = "";

    public string Origin { get; init; } = "";

    /// <summary>Whether it was configured by name, instead of found in a directory.</summary>
    public bool IsGivenByName { get; init; }

    public uint? Serial { get; init; }

    /// <summary>Names that own records.</summary>
    public long Names { get; init; }

    public long Records { get; init; }

    /// <summary>Their memory, in bytes.</summary>
    public long Bytes { get; init; }

    /// <summary>When the served version was loaded.</summary>
    public DateTimeOffset? LoadedAt { get; init; }

    /// <summary>The modification time of the file; for a single zone only.</summary>
    public DateTimeOffset? FileChangedAt { get; init; }

    /// <summary>When the state last changed.</summary>
    public DateTimeOffset? Since { get; init; }

    /// <summary>Its primaries, with their keys; empty for a primary zone.</summary>
    public IReadOnlyList<string> Primaries { get; init; } = [];

    /// <summary>When a primary last confirmed this version; null if never, or for a primary zone.</summary>
    public DateTimeOffset? ConfirmedAt { get; init; }

    /// <summary>Why the last refresh failed; null on success.</summary>
    public string? LastError { get; init; }

    /// <summary>Records of the running transfer so far; null if none.</summary>
    public long? TransferRecords { get; init; }

    /// <summary>Octets of the running transfer so far; null if none.</summary>
    public long? TransferOctets { get; init; }

    /// <summary>The next query to a primary; null if none.</summary>
    public DateTimeOffset? NextRefresh { get; init; }

    /// <summary>When the data expires; null = never.</summary>
    public DateTimeOffset? Expires { get; init; }

    /// <summary>Why the latest data is unusable, or why there is none; null if neither.</summary>
    public string? Failure { get; init; }

    /// <summary>Whether stale data is served because the latest is unusable.</summary>
    public bool IsOutdated { get; init; }

    /// <summary>Whether <see cref="Failure"/> is that of signing: the source's data is good.</summary>
    public bool IsSigningFailed { get; init; }

    /// <summary>Whether updates are refused so that the file can be edited.</summary>
    public bool IsFrozen { get; init; }

    /// <summary>Changes by updates that the file lacks; null if there never were any.</summary>
    public int? JournalChanges { get; init; }

    /// <summary>The size of their journal in octets.</summary>
    public long? JournalBytes { get; init; }

    /// <summary>The conflict between the file and these changes; null if none.</summary>
    public string? Conflict { get; init; }

    /// <summary>Updates that a damaged journal has lost; null if none, or written to the file since.</summary>
    public string? JournalLoss { get; init; }

    /// <summary>Whether the zone has DNSSEC records.</summary>
    public bool IsSigned { get; init; }

    /// <summary>Its signing status; null if it is not signed here. For a single zone only.</summary>
    public ZoneSigningStatus? Signing { get; init; }

    /// <summary>When the first of its signatures expires; null if none.</summary>
    public DateTimeOffset? SignatureExpiry { get; init; }

    /// <summary>Why validating resolvers reject some answers, or will soon; null if they do not, or unsigned.</summary>
    public string? SignatureFault { get; init; }

    /// <summary>A line for each error in its current file; empty if it is valid. For a single zone only.</summary>
    public IReadOnlyList<string> Errors { get; init; } = [];

    /// <summary>The access list of transfers; empty for none. For a single zone only.</summary>
    public IReadOnlyList<string> AllowTransfer { get; init; } = [];

    /// <summary>The update policy; empty for none. For a single zone only.</summary>
    public IReadOnlyList<string> AllowUpdate { get; init; } = [];

    /// <summary>The servers to notify. For a single zone only.</summary>
    public IReadOnlyList<string> Notify { get; init; } = [];

    /// <summary>For a catalog zone <c>producer</c> or <c>consumer</c>, else null. For a single zone only.</summary>
    public string? Catalog { get; init; }

    /// <summary>The catalog zone that lists it; null = none. For a single zone only.</summary>
    public string? MemberOf { get; init; }

    /// <summary>Other sources of a zone of this name, which are not served. For a single zone only.</summary>
    public IReadOnlyList<string> Waiting { get; init; } = [];

    [JsonIgnore]
    public ZoneState Phase { get; init; }

    public static ZoneStatus Of(ZoneSlot slot, DateTimeOffset now)
    {
        ZoneOrigin origin = slot.Source?.OriginOf(slot) ?? default;
        Zone? data = slot.Zone;
        ZoneState state = slot.State;
        ZoneReplica? replica = (slot as IReplicatedZone)?.Replica;
        return new ZoneStatus
        {
            Name = slot.Name.ToString(),
            Phase = state,
            State = WordOf(state),
            Role = replica is null ? "primary" : "secondary",
            Primaries = replica?.Primaries ?? [],
            NextRefresh = replica?.NextRefresh,
            Expires = replica?.Expires,
            ConfirmedAt = replica?.ConfirmedAt,
            LastError = replica?.LastError,
            TransferRecords = replica?.TransferRecords,
            TransferOctets = replica?.TransferOctets,
            File = origin.Path ?? "",
            Origin = origin.Source ?? "",
            IsGivenByName = origin.IsGivenByName,
            Serial = data?.Serial,
            Names = data?.NameCount ?? 0,
            Records = data?.RecordCount ?? 0,
            Bytes = data?.MemoryBytes ?? 0,
            LoadedAt = slot.LoadedAt,
            Since = slot.Since,
            Failure = slot.Failure?.Text,
            IsOutdated = state == ZoneState.Stale,
            IsSigningFailed = slot is { Failure: not null, SourceFailure: null },
            IsSigned = data is { IsSigned: true },
            SignatureExpiry = Telemetry.Metrics.SignatureFault.ExpiryOf(data),
            SignatureFault = Telemetry.Metrics.SignatureFault.Of(slot, now)?.Text,
        };
    }

    private static string WordOf(ZoneState state) => state switch
    {
        ZoneState.Serving or ZoneState.Stale => "serving",
        ZoneState.Failed => "broken",
        ZoneState.Expired => "expired",
        _ => "loading",
    };
}
