using System.Collections.Immutable;

namespace Dns.Configuration.Options;

/// <summary>
/// Everything an operator can set, section <c>Dns</c> of the settings. Values are valid: <see cref="SettingsReader"/>
/// makes no other. The settings beside the sections stand here with their defaults, those of a section in its options.
/// </summary>
public sealed record ServerOptions
{
    /// <summary>The longest <see cref="MinRefresh"/>.</summary>
    public static readonly TimeSpan MostMinRefresh = TimeSpan.FromDays(7);

    private ImmutableDictionary<object, object> _declared = ImmutableDictionary<object, object>.Empty;

    /// <summary>The addresses and ports without <c>Dns:Listen</c>: loopback alone.</summary>
    public static IReadOnlyList<ListenerAddress> DefaultListen { get; } =
        [new IPEndPoint(IPAddress.Loopback, 5335), new IPEndPoint(IPAddress.IPv6Loopback, 5335)];

    /// <summary>Addresses to listen on, with kind and options; a plain one over UDP and TCP.</summary>
    public IReadOnlyList<ListenerAddress> Listen { get; init; } = DefaultListen;

    /// <summary>What NSID (RFC 5001) and id.server (RFC 4892) say; null = they say nothing.</summary>
    public string? Identity { get; init; }

    /// <summary>What version.bind and version.server say; null = REFUSED.</summary>
    public string? Version { get; init; }

    /// <summary>The longest UDP answer in octets, 512 to 65535, whatever a client offers to take.</summary>
    public int MaxUdpPayload { get; init; } = 1232;

    /// <summary>Threads that answer, and threads that load zones; 0 = one for each processor.</summary>
    public int Workers { get; init; }

    /// <summary>Whether the records of an RRset start at another one in every answer.</summary>
    public bool RotateRRsets { get; init; }

    /// <summary>Whether ANY over UDP is answered with one RRset (RFC 8482).</summary>
    public bool MinimalAny { get; init; } = true;

    /// <summary>The most records of one type at a name of a zone, 1 to 65535.</summary>
    public int MaxRecordsPerType { get; init; } = ZoneLimits.Default.RecordsPerType;

    /// <summary>The most types at a name of a zone, 1 to 65535.</summary>
    public int MaxTypesPerName { get; init; } = ZoneLimits.Default.TypesPerName;

    /// <summary>The zones to serve, in the order they were written.</summary>
    public IReadOnlyList<ZoneOptions> Zones { get; init; } = [];

    /// <summary>Keys of signed messages (RFC 8945).</summary>
    public IReadOnlyList<TsigKey> TsigKeys { get; init; } = [];

    /// <summary>Who may have the zones that do not say so themselves.</summary>
    public IReadOnlyList<PeerRule> AllowTransfer { get; init; } = [];

    /// <summary>Who may change by UPDATE the zones that do not say so themselves.</summary>
    public IReadOnlyList<UpdateRule> AllowUpdate { get; init; } = [];

    /// <summary>Who may notify the secondaries that do not say so themselves; null = the primaries of each.</summary>
    public IReadOnlyList<PeerRule>? AllowNotify { get; init; }

    /// <summary>Who is notified of the zones that do not say so themselves.</summary>
    public IReadOnlyList<PeerAddress> Notify { get; init; } = [];

    /// <summary>The least time between two refreshes of the secondaries that do not say so themselves.</summary>
    public TimeSpan MinRefresh { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>What zones and catalogs refer to by name; letter case does not matter.</summary>
    public IReadOnlyDictionary<string, ZoneTemplate> Templates { get; init; } = new Dictionary<string, ZoneTemplate>();

    /// <summary>How zones are signed, by the name that zones refer to it; letter case does not matter.</summary>
    public IReadOnlyDictionary<string, DnssecPolicy> DnssecPolicies { get; init; } =
        new Dictionary<string, DnssecPolicy>();

    /// <summary>Where added and removed zones are kept: a directory, <c>auto</c>, or null = nowhere.</summary>
    public string? StateDirectory { get; init; } = Options.StateDirectory.Automatic;

    /// <summary>The control socket.</summary>
    public ControlOptions Control => Of(ControlOptions.Section);

    /// <summary>How changes of zone files are noticed.</summary>
    public ReloadOptions Reload => Of(ReloadOptions.Section);

    /// <summary>The log of the server.</summary>
    public LogOptions Log => Of(LogOptions.Section);

    /// <summary>What is measured.</summary>
    public TelemetryOptions Telemetry => Of(TelemetryOptions.Section);

    /// <summary>Limits of zones, of all zones alike.</summary>
    public ZoneLimits ZoneLimits => new(MaxRecordsPerType, MaxTypesPerName);

    /// <summary>The options of a section or feature; its defaults if the settings do not say otherwise.</summary>
    public T Of<T>(IOptionsOf<T> declared) =>
        _declared.TryGetValue(declared, out object? found) ? (T)found : declared.Defaults;

    /// <summary>The same with other options of a section or feature.</summary>
    public ServerOptions With<T>(IOptionsOf<T> declared, T options) where T : notnull =>
        With((Setting)declared, options);

    internal ServerOptions With(Setting declared, object options) =>
        this with { _declared = _declared.SetItem(declared, options) };

    /// <summary>The policy of a name, of the settings or built in; null if there is none.</summary>
    public DnssecPolicy? FindDnssecPolicy(string name) =>
        DnssecPolicies.TryGetValue(name, out DnssecPolicy? policy) ? policy
        : DnssecPolicy.DefaultName.Equals(name, StringComparison.OrdinalIgnoreCase) ? DnssecPolicy.Default : null;

    /// <summary><see cref="Workers"/> with 0 resolved.</summary>
    public int WorkerCount => Workers == 0 ? Environment.ProcessorCount : Workers;
}
