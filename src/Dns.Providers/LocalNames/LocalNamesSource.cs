namespace Dns.Providers.LocalNames;

/// <summary>
/// Zones that are served locally and never forwarded: reverse names of private and special addresses (RFC 6303, RFC
/// 7793) and special-use names (RFC 6761 and its registry), so that queries for them do not leak.
/// </summary>
public sealed class LocalNamesSource : IZoneSource
{
    private const uint TtlSeconds = 10800;

    private static readonly string[] Names =
    [
        .. Reverse("0", "10", "127", "254.169", "168.192", "2.0.192", "100.51.198", "113.0.203", "255.255.255.255"),
        .. Enumerable.Range(16, 16).Select(octet => $"{octet}.172.in-addr.arpa."),
        .. Enumerable.Range(64, 64).Select(octet => $"{octet}.100.in-addr.arpa."),
        Unspecified, Loopback, "d.f.ip6.arpa.", "8.e.f.ip6.arpa.", "9.e.f.ip6.arpa.", "a.e.f.ip6.arpa.",
        "b.e.f.ip6.arpa.", "8.b.d.0.1.0.0.2.ip6.arpa.",
        Localhost, "invalid.", "test.", "onion.", "local.", "alt.", "home.arpa.", "resolver.arpa.",
    ];

    private const string Localhost = "localhost.";
    private const string LoopbackNetwork = "127.in-addr.arpa.";
    private const string Unspecified = "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa.";
    private const string Loopback = "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa.";

    private static readonly HashSet<DomainName> Near =
        [.. Names.SelectMany(text => WithAncestors(DomainName.Parse(text)))];

    private readonly Lock _lock = new();
    private readonly Dictionary<DomainName, ZoneSlot> _claims = [];
    private IReadOnlyList<DomainName>? _forwarded;
    private ZoneRegistry? _registry;

    /// <summary>Creates the source.</summary>
    /// <param name="forwarded">
    /// Forwarded zones: one at or above a local zone, but not the root, replaces it. Null = no local zones.
    /// </param>
    public LocalNamesSource(IReadOnlyList<DomainName>? forwarded) => _forwarded = forwarded;

    /// <summary>Whether a name is that of a local zone, or below one.</summary>
    public static bool Covers(DomainName name) =>
        Names.Any(local => WireName.IsAtOrBelow(name.Octets, DomainName.Parse(local).Octets));

    /// <inheritdoc/>
    public Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
        CancellationToken cancellation)
    {
        lock (_lock) _registry = registry;
        registry.Changed += OnChanged;
        Claim();
        return Task.FromResult(default(ZoneLoadSummary));
    }

    /// <summary>The zones never change.</summary>
    public Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
        Task.FromResult(default(ZoneLoadSummary));

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

    /// <inheritdoc/>
    public ZoneOrigin OriginOf(ZoneSlot slot) => new("built in", Path: null);

    /// <summary>Replaces the list of forwarded zones, as in the constructor.</summary>
    public void Use(IReadOnlyList<DomainName>? forwarded)
    {
        lock (_lock) _forwarded = forwarded;
        Claim();
    }

    private void OnChanged(ZoneRegistryChange change)
    {
        // Almost none of 100,000 served zones is near a local one.
        if (change.Added.Concat(change.Removed)
            .Any(slot => slot.Precedence != ZonePrecedence.BuiltIn && Near.Contains(slot.Name))) Claim();
    }

    private void Claim()
    {
        lock (_lock)
        {
            if (_registry is null) return;
            List<ZoneSlot> withdrawn = [], claimed = [];
            foreach (string text in Names)
            {
                DomainName name = DomainName.Parse(text);
                bool isWanted = IsWanted(name, _registry);
                if (isWanted && !_claims.ContainsKey(name))
                {
                    ZoneSlot slot = new(name) { Precedence = ZonePrecedence.BuiltIn };
                    slot.Publish(Build(text, name));
                    claimed.Add(_claims[name] = slot);
                }
                else if (!isWanted && _claims.Remove(name, out ZoneSlot? slot)) withdrawn.Add(slot);
            }
            if (withdrawn.Count + claimed.Count > 0) _registry.Change(this, withdrawn, claimed);
        }
    }

    /// <summary>Zones of the same name need no check: they have precedence in the registry.</summary>
    private bool IsWanted(DomainName name, ZoneRegistry registry) =>
        _forwarded is not null
        && !_forwarded.Any(zone => !zone.Equals(DomainName.Root) && WireName.IsAtOrBelow(name.Octets, zone.Octets))
        &&
        !WithAncestors(name).Skip(1).Any(above => registry.Find(above) is { Precedence: not ZonePrecedence.BuiltIn });

    /// <summary>A name and those above it but the root.</summary>
    private static IEnumerable<DomainName> WithAncestors(DomainName name)
    {
        for (byte[] octets = name.Octets.ToArray(); octets.Length > 1; octets = octets[(octets[0] + 1)..])
            yield return DomainName.FromOctets(octets);
    }

    private static IEnumerable<string> Reverse(params string[] networks) =>
        networks.Select(network => network + ".in-addr.arpa.");

    /// <summary>SOA and NS as RFC 6303 §3 has them; the loopback names also have what they stand for.</summary>
    private static Zone Build(string text, DomainName apex)
    {
        ZoneBuilder builder = new(apex.Octets);
        byte[] nobody = DomainName.Parse("nobody.invalid.").Octets.ToArray();
        byte[] numbers = new byte[20];
        uint[] values = [1, 3600, 1200, 604800, TtlSeconds];
        for (int i = 0; i < values.Length; i++) BinaryPrimitives.WriteUInt32BigEndian(numbers.AsSpan(i * 4), values[i]);
        Add(apex.Octets, RRType.SOA, [.. apex.Octets, .. nobody, .. numbers]);
        Add(apex.Octets, RRType.NS, apex.Octets.ToArray());
        byte[] localhost = DomainName.Parse(Localhost).Octets.ToArray();
        if (text == Localhost)
        {
            // Everything below it is this machine too (RFC 6761 §6.3).
            foreach (byte[] owner in new[] { localhost, [1, (byte)'*', .. localhost] })
            {
                Add(owner, RRType.A, [127, 0, 0, 1]);
                Add(owner, RRType.AAAA, [.. new byte[15], 1]);
            }
        }
        else if (text == LoopbackNetwork) Add(DomainName.Parse("1.0.0." + text).Octets, RRType.PTR, localhost);
        else if (text == Loopback) Add(apex.Octets, RRType.PTR, localhost);
        return builder.Build();

        void Add(ReadOnlySpan<byte> owner, RRType type, byte[] rdata) =>
            builder.Add(owner, sameOwner: false, type, TtlSeconds, rdata);
    }
}
