namespace Dns.Configuration.SettingTypes;

/// <summary>What an entry of <c>Dns:Zones</c> or <c>Dns:Templates</c> says, value by value; null = nothing.</summary>
public sealed class ZoneSettings(SettingNode node, string path)
{
    /// <summary>Where it was written.</summary>
    public SettingNode Node { get; } = node;

    /// <summary>The path of the setting, such as <c>Dns:Zones:0</c>.</summary>
    public string Path { get; } = path;

    public DomainName? Name { get; set; }

    /// <summary>Its file; absolute.</summary>
    public string? File { get; set; }

    /// <summary>A directory of zone files; absolute.</summary>
    public string? Directory { get; set; }

    /// <summary>Which files of it are zone files.</summary>
    public string? Pattern { get; set; }

    public string? Template { get; set; }

    /// <summary>Where the data is maintained.</summary>
    public ZoneRole? Role { get; set; }

    /// <summary>The servers that the data comes from.</summary>
    public IReadOnlyList<PeerAddress>? Primaries { get; set; }

    /// <summary>The least time between two refreshes.</summary>
    public TimeSpan? MinRefresh { get; set; }

    public IReadOnlyList<PeerAddress>? Notify { get; set; }

    public IReadOnlyList<PeerRule>? AllowNotify { get; set; }

    public IReadOnlyList<PeerRule>? AllowTransfer { get; set; }

    public IReadOnlyList<UpdateRule>? AllowUpdate { get; set; }

    public ClientNetworks? AllowQuery { get; set; }

    /// <summary>The name of the policy that the zone is signed by, <c>off</c> or <c>off-now</c>.</summary>
    public string? Dnssec { get; set; }

    /// <summary>What the zone is as a catalog.</summary>
    public CatalogRole? Catalog { get; set; }

    /// <summary>The name of the template of a catalog's members.</summary>
    public string? MemberTemplate { get; set; }

    /// <summary>The catalog that the zone is listed in.</summary>
    public DomainName? MemberOf { get; set; }

    /// <summary>Its group in that catalog.</summary>
    public string? Group { get; set; }

    /// <summary>Whether all that was written could be read.</summary>
    public bool IsGood { get; set; } = true;

    /// <summary>Takes from a template what is not said here.</summary>
    public void Inherit(ZoneSettings template)
    {
        Role ??= template.Role;
        Primaries ??= template.Primaries;
        MinRefresh ??= template.MinRefresh;
        AllowQuery ??= template.AllowQuery;
        Catalog ??= template.Catalog;
        MemberTemplate ??= template.MemberTemplate;
        // A catalog is for servers, which do not validate it.
        if (Catalog is not null) Dnssec ??= DnssecPoliciesSetting.Off;
        if (HasPolicy)
        {
            Notify ??= template.Notify;
            AllowNotify ??= template.AllowNotify;
            AllowTransfer ??= template.AllowTransfer;
            AllowUpdate ??= template.AllowUpdate;
            MemberOf ??= template.MemberOf;
            Group ??= template.Group;
            Dnssec ??= template.Dnssec;
        }
        else
        {
            _policy = template.Policy;
        }
    }

    private bool HasPolicy =>
        (Notify ?? AllowNotify ?? AllowTransfer ?? AllowUpdate ?? MemberOf ?? Group ?? (object?)Dnssec) is not null;

    private ZonePolicy? _policy;

    /// <summary>One object for all zones that have it from the same template; null = not said.</summary>
    public ZonePolicy? Policy => _policy ??= !HasPolicy ? null : new ZonePolicy
    {
        AllowTransfer = AllowTransfer is null ? null : new PeerList(AllowTransfer),
        AllowUpdate = AllowUpdate is null ? null : new UpdatePolicy(AllowUpdate),
        Notify = Notify,
        AllowNotify = AllowNotify is null ? null : new PeerList(AllowNotify),
        MemberOf = MemberOf,
        Group = Group,
        Dnssec = Dnssec is null || DnssecPoliciesSetting.IsOff(Dnssec) ? null : Dnssec,
        IsUnsignedAtOnce = Dnssec is not null && DnssecPoliciesSetting.IsOffNow(Dnssec),
    };
}
