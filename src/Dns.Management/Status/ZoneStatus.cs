using System.Text.Json.Serialization;
using Dns.Zones;

namespace Dns.Management;

/// <summary>
/// How one zone does at one moment, for all who show it: <c>dnsd zones</c>, <c>dnsd zone status</c>, the status page, metrics. What it
/// is called in JSON is a contract.
/// </summary>
internal sealed record ZoneStatus
{
    /// <summary>The zone's name.</summary>
    public string Name { get; init; } = "";

    /// <summary>The state in a word. What is served from old data is <c>serving</c>, too: see <see cref="IsOutdated"/>.</summary>
    public string State { get; init; } = "";

    /// <summary>Whether the zone's data is made here or copied from another server.</summary>
    public string Role { get; init; } = "primary";

    /// <summary>The path of its file; empty where it comes from none.</summary>
    public string File { get; init; } = "";

    /// <summary>Where it comes from, in words.</summary>
    public string Origin { get; init; } = "";

    /// <summary>Whether it was given by its own name, and not found among others.</summary>
    public bool IsGivenByName { get; init; }

    /// <summary>The serial that is served.</summary>
    public uint? Serial { get; init; }

    /// <summary>Names that own records.</summary>
    public long Names { get; init; }

    /// <summary>Records.</summary>
    public long Records { get; init; }

    /// <summary>Memory that they take, in bytes.</summary>
    public long Bytes { get; init; }

    /// <summary>When what is served was loaded.</summary>
    public DateTimeOffset? LoadedAt { get; init; }

    /// <summary>When the file was changed last; only of a single zone.</summary>
    public DateTimeOffset? FileChangedAt { get; init; }

    /// <summary>Since when the state is what it is.</summary>
    public DateTimeOffset? Since { get; init; }

    /// <summary>The servers that it is copied from, with their keys; empty where the data is made here.</summary>
    public IReadOnlyList<string> Primaries { get; init; } = [];

    /// <summary>When a primary last had what is here; null where none is asked, or never.</summary>
    public DateTimeOffset? ConfirmedAt { get; init; }

    /// <summary>Why the last refresh failed; null if it did not.</summary>
    public string? LastError { get; init; }

    /// <summary>Records of the transfer under way so far; null while none is.</summary>
    public long? TransferRecords { get; init; }

    /// <summary>Octets of the transfer under way so far; null while none is.</summary>
    public long? TransferOctets { get; init; }

    /// <summary>When another server is asked for newer data; null where none is.</summary>
    public DateTimeOffset? NextRefresh { get; init; }

    /// <summary>When the data becomes too old to be served; null where it never does.</summary>
    public DateTimeOffset? Expires { get; init; }

    /// <summary>Why the latest data cannot be used, or why there is none; null while all is well.</summary>
    public string? Failure { get; init; }

    /// <summary>Whether older data is served because the latest cannot be used.</summary>
    public bool IsOutdated { get; init; }

    /// <summary>Whether updates are refused so that the file can be edited.</summary>
    public bool IsFrozen { get; init; }

    /// <summary>Changes by updates that the file does not have; null where there never were any.</summary>
    public int? JournalChanges { get; init; }

    /// <summary>Octets of the file that keeps them.</summary>
    public long? JournalBytes { get; init; }

    /// <summary>Why the file and these changes do not go together; null if they do.</summary>
    public string? Conflict { get; init; }

    /// <summary>Whether the zone has DNSSEC records.</summary>
    public bool IsSigned { get; init; }

    /// <summary>How its signing does; null where it is not signed on this server. Only of a single zone.</summary>
    public ZoneSigningStatus? Signing { get; init; }

    /// <summary>When the first of its signatures expires; null where it has none.</summary>
    public DateTimeOffset? SignatureExpiry { get; init; }

    /// <summary>Why validating resolvers reject some of its answers, or will soon; null if they do not, or it is not signed.</summary>
    public string? SignatureFault { get; init; }

    /// <summary>A line for each error in its file as it is now; none if the file is taken. Only of a single zone.</summary>
    public IReadOnlyList<string> Errors { get; init; } = [];

    /// <summary>The access list of transfers; empty for none. Only of a single zone.</summary>
    public IReadOnlyList<string> AllowTransfer { get; init; } = [];

    /// <summary>The update policy; empty for none. Only of a single zone.</summary>
    public IReadOnlyList<string> AllowUpdate { get; init; } = [];

    /// <summary>The servers that are notified of its versions. Only of a single zone.</summary>
    public IReadOnlyList<string> Notify { get; init; } = [];

    /// <summary><c>producer</c> or <c>consumer</c> of a catalog zone; null where it is none. Only of a single zone.</summary>
    public string? Catalog { get; init; }

    /// <summary>The catalog zone that lists it; null where none does. Only of a single zone.</summary>
    public string? MemberOf { get; init; }

    /// <summary>Other sources of a zone of this name, which are not served. Only of a single zone.</summary>
    public IReadOnlyList<string> Waiting { get; init; } = [];

    /// <summary>The state.</summary>
    [JsonIgnore]
    public ZoneState Phase { get; init; }

    /// <summary>That of a zone now.</summary>
    /// <param name="slot">The zone.</param>
    /// <param name="now">The time, by which signatures are judged.</param>
    public static ZoneStatus Of(ZoneSlot slot, DateTimeOffset now)
    {
        ZoneOrigin origin = slot.Source?.OriginOf(slot) ?? default;
        Zone? data = slot.Zone;
        ZoneState state = slot.State;
        ZoneReplica? replica = slot.Replica;
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
            File = origin.Place ?? "",
            Origin = origin.Words ?? "",
            IsGivenByName = origin.IsGivenByName,
            Serial = data?.Serial,
            Names = data?.NameCount ?? 0,
            Records = data?.RecordCount ?? 0,
            Bytes = data?.MemoryBytes ?? 0,
            LoadedAt = slot.LoadedAt,
            Since = slot.Since,
            Failure = slot.Failure,
            IsOutdated = state == ZoneState.Stale,
            IsSigned = data is { IsSigned: true },
            SignatureExpiry = Telemetry.SignatureFault.ExpiryOf(data),
            SignatureFault = Telemetry.SignatureFault.Of(slot, now)?.Text,
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
