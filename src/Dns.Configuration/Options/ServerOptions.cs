namespace Dns.Configuration.Options;

/// <summary>
/// Everything an operator can set, section <c>Dns</c> of the settings. Values are valid: <see cref="SettingsReader"/>
/// makes no other. Names, ranges and units stand in <see cref="SettingsTable"/>, defaults here or in the type of a
/// section. A section that one part takes as it is has the type of that part; what this program alone needs of it
/// stands here, with the name of the section before its own.
/// </summary>
internal sealed class ServerOptions
{
    public static IReadOnlyList<ListenerAddress> DefaultListen { get; } =
        [new IPEndPoint(IPAddress.Loopback, 5335), new IPEndPoint(IPAddress.IPv6Loopback, 5335)];

    /// <summary>Addresses to listen on, with kind and options; a plain one over UDP and TCP.</summary>
    public IReadOnlyList<ListenerAddress> Listen { get; set; } = DefaultListen;

    /// <summary>What NSID (RFC 5001) and id.server (RFC 4892) say; null = they say nothing.</summary>
    public string? Identity { get; set; }

    /// <summary>What version.bind and version.server say; null = REFUSED.</summary>
    public string? Version { get; set; }

    /// <summary>The longest UDP answer in octets, 512 to 65535, whatever a client offers to take.</summary>
    public int MaxUdpPayload { get; set; } = 1232;

    /// <summary>Threads that answer, and threads that load zones; 0 = one for each processor.</summary>
    public int Workers { get; set; }

    /// <summary>Whether the records of an RRset start at another one in every answer.</summary>
    public bool RotateRRsets { get; set; }

    /// <summary>Whether ANY over UDP is answered with one RRset (RFC 8482).</summary>
    public bool MinimalAny { get; set; } = true;

    /// <summary>The most records of one type at a name of a zone, 1 to 65535.</summary>
    public int MaxRecordsPerType { get; set; } = ZoneLimits.Default.RecordsPerType;

    /// <summary>The most types at a name of a zone, 1 to 65535.</summary>
    public int MaxTypesPerName { get; set; } = ZoneLimits.Default.TypesPerName;

    /// <summary>The zones to serve, in the order they were written.</summary>
    public IReadOnlyList<ZoneOptions> Zones { get; set; } = [];

    public IReadOnlyList<TsigKey> TsigKeys { get; set; } = [];

    /// <summary>Who may have the zones that do not say so themselves.</summary>
    public IReadOnlyList<PeerRule> AllowTransfer { get; set; } = [];

    /// <summary>Who may change by UPDATE the zones that do not say so themselves.</summary>
    public IReadOnlyList<UpdateRule> AllowUpdate { get; set; } = [];

    /// <summary>Who may notify the secondaries that do not say so themselves; null = the primaries of each.</summary>
    public IReadOnlyList<PeerRule>? AllowNotify { get; set; }

    /// <summary>Who is notified of the zones that do not say so themselves.</summary>
    public IReadOnlyList<PeerAddress> Notify { get; set; } = [];

    /// <summary>The least time between two refreshes of the secondaries that do not say so themselves.</summary>
    public TimeSpan MinRefresh { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Limits of transfers; by default 8 GiB, or half of the memory where that is less.</summary>
    public TransferOptions Transfer { get; set; } = new() { MaxOctets = Math.Min(8L << 30, ServerMemory.Bytes / 2) };

    /// <summary>What zones and catalogs refer to by name; letter case does not matter.</summary>
    public IReadOnlyDictionary<string, ZoneTemplate> Templates { get; set; } = new Dictionary<string, ZoneTemplate>();

    /// <summary>How zones are signed, by the name that zones refer to it; letter case does not matter.</summary>
    public IReadOnlyDictionary<string, DnssecPolicy> DnssecPolicies { get; set; } =
        new Dictionary<string, DnssecPolicy>();

    /// <summary>Where added and removed zones are kept: a directory, <c>auto</c>, or null = nowhere.</summary>
    public string? StateDirectory { get; set; } = Options.StateDirectory.Automatic;

    public UdpOptions Udp { get; } = new();

    /// <summary>What TCP clients may take: as many replies of several messages as transfers, at least.</summary>
    public TcpLimits Tcp
    {
        get => field with { MaxSequences = Math.Max(field.MaxSequences, Transfer.MaxOutgoing) };
        set;
    } = new();

    public CookieOptions Cookies { get; } = new();

    public ControlOptions Control { get; } = new();

    public ReloadOptions Reload { get; } = new();

    public RateLimitOptions RateLimit { get; set; } = new();

    public ProxyOptions Proxy { get; } = new();

    /// <summary>Forwarded zones, in the order of the settings.</summary>
    public IReadOnlyList<ForwardZone> Forward { get; set; } = [];

    /// <summary>Access and limits of forwarding. Values derived from other settings are not set.</summary>
    public ForwarderOptions Recursion { get; set; } = new();

    /// <summary>Whether the names of RFC 6303 and RFC 6761 are answered here and not forwarded.</summary>
    public bool RecursionLocalNames { get; set; } = true;

    /// <summary>What forwarding caches; by default 256 MiB, or a quarter of the memory where that is less.</summary>
    public CacheOptions Cache { get; set; } = new() { MaxBytes = Math.Min(256L << 20, ServerMemory.Bytes / 4) };

    /// <summary>The file that keeps the cache while the server is stopped; null = there is none.</summary>
    public string? CacheFile { get; set; }

    public AdminOptions Admin { get; } = new();

    public LogOptions Log { get; } = new();

    public QueryLogOptions QueryLog { get; } = new();

    public DnstapOptions Dnstap { get; } = new();

    public TelemetryOptions Telemetry { get; } = new();

    public ZoneLimits ZoneLimits => new(MaxRecordsPerType, MaxTypesPerName);

    /// <summary>The policy of a name, of the settings or built in; null if there is none.</summary>
    public DnssecPolicy? FindDnssecPolicy(string name) =>
        DnssecPolicies.TryGetValue(name, out DnssecPolicy? policy) ? policy
        : DnssecPolicy.DefaultName.Equals(name, StringComparison.OrdinalIgnoreCase) ? DnssecPolicy.Default : null;

    /// <summary><see cref="Workers"/> with 0 resolved.</summary>
    public int WorkerCount => Workers == 0 ? Environment.ProcessorCount : Workers;
}
