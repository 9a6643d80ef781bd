using Microsoft.Extensions.Logging;

namespace Dns.Features.Catalogs;

/// <summary>
/// The catalogs of the settings (RFC 9432): produced ones, and consumed ones, whose members are served as secondaries.
/// One pool thread at a time reads versions of consumed catalogs. Thread-safe.
/// </summary>
public sealed class CatalogFeature : Feature, IFeature
{
    private const string Folder = "zones", OwnershipFolder = "catalogs";

    private readonly Lock _gate = new();
    private readonly SecondaryFeature _secondaries;
    private readonly CatalogLog _log;
    private readonly CatalogMembers _members;
    private readonly CatalogOwnership _ownership;
    private readonly Dictionary<DomainName, Zone> _taken = [];
    private readonly HashSet<(DomainName, DomainName)> _reported = [];
    private Dictionary<DomainName, ZoneOptions> _consumed = [];
    private HashSet<DomainName> _named = [];
    private ServerOptions _options;
    private ZoneRegistry? _registry;
    private int _isWanted;
    private bool _isRestored, _isUnsaved;
    private volatile bool _isTaking;
    private volatile bool _isLoaded;

    /// <summary>Creates the source; its zones are claimed when it is started.</summary>
    /// <param name="stateDirectory">The state directory; null = none.</param>
    /// <param name="secondaries">Receives the members of consumed catalogs.</param>
    /// <param name="log">Receives events.</param>
    public CatalogFeature(ServerOptions options, string? stateDirectory, SecondaryFeature secondaries,
        TimeProvider time, CatalogLog log)
    {
        (_options, _secondaries, _log) = (options, secondaries, log);
        Producer = new CatalogProducer(CopiesIn(stateDirectory, Folder), log, time);
        _ownership = new CatalogOwnership(CopiesIn(stateDirectory, OwnershipFolder), CatalogContent.MostForMemory);
        _members = new CatalogMembers(log, CatalogContent.MostForMemory);
        Use(options);
    }

    private static IZoneCopies CopiesIn(string? stateDirectory, string folder) => stateDirectory is null
        ? new NoZoneCopies()
        : new ZoneCopyFolder(Path.Join(stateDirectory, folder), new DiskFiles(DirectorySync.Flush));

    /// <summary>Produces catalogs.</summary>
    public CatalogProducer Producer { get; }

    public static Feature Create(ServerParts parts)
    {
        SecondaryFeature secondaries = parts.Get<SecondaryFeature>();
        CatalogLog log = new(parts.Loggers.CreateLogger<CatalogLog>(), parts.Clock);
        CatalogFeature feature = new(parts.Options, parts.StateDirectory, secondaries, parts.Clock, log);
        ZoneRegistry registry = parts.Registry;
        secondaries.MayLackZones = name => feature.MayLackMembers || registry.Find(name) is not null;
        feature.Follow(registry);
        return feature;
    }

    public override IZoneSource Source => Producer;

    /// <summary>Whether members of versions of consumed catalogs on this machine may not be served yet.</summary>
    public bool MayLackMembers => Volatile.Read(ref _consumed).Count > 0
        && (!_isLoaded || Volatile.Read(ref _isWanted) != 0 || _isTaking);

    public override ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot) => status with
    {
        Catalog = RoleOf(slot) switch
        {
            CatalogRole.Producer => "producer",
            CatalogRole.Consumer => "consumer",
            _ => null,
        },
        MemberOf = CatalogOf(slot)?.ToString(),
    };

    /// <summary>The catalog role of a zone.</summary>
    private CatalogRole RoleOf(ZoneSlot slot) =>
        Volatile.Read(ref _consumed).ContainsKey(slot.Name) ? CatalogRole.Consumer
        : slot.Source == Producer ? CatalogRole.Producer : CatalogRole.None;

    /// <summary>The catalog that lists a zone: its producer, or the consumer that added it; null = none.</summary>
    private DomainName? CatalogOf(ZoneSlot slot) => slot is SecondaryZone
        ? slot.Precedence == ZonePrecedence.Other ? _members.Find(slot.Name)?.Catalog : null : slot.Policy?.MemberOf;

    /// <summary>Subscribes to new versions of catalogs.</summary>
    public void Follow(ZoneRegistry registry)
    {
        _registry = registry;
        registry.VersionPublished += (slot, _) =>
        {
            if (_members.Has(slot.Name)) Refresh();
        };
    }

    /// <summary>Sets the catalogs of the settings.</summary>
    public override void Use(ServerOptions options)
    {
        Producer.Use(
        [
            .. options.Zones.Where(zone => zone.Catalog == CatalogRole.Producer).Select(zone =>
                new CatalogProducerOptions(zone.Name!) { AllowQuery = zone.AllowQuery, Policy = zone.Policy }),
        ]);
        lock (_gate)
        {
            _options = options;
            ZoneOptions[] consumed = [.. options.Zones.Where(zone => zone.Catalog == CatalogRole.Consumer)];
            Volatile.Write(ref _consumed, consumed.ToDictionary(zone => zone.Name!));
            _named = [.. options.Zones.Select(zone => zone.Name).OfType<DomainName>()];
            // A version that was refused may be usable without another catalog.
            _taken.Clear();
            _isUnsaved |= _members.Use([.. consumed.Select(zone => zone.Name!)]);
        }
        Refresh();
    }

    /// <summary>Checks unchanged zones for new policies: called after the zones of the settings were applied.</summary>
    public override void OnZonesChanged()
    {
        Producer.Refresh();
        Refresh();
    }

    /// <summary>Called when all sources have loaded what they have on this machine.</summary>
    public override void OnZonesLoaded()
    {
        // Before: until its end it counts as wanted.
        Refresh();
        _isLoaded = true;
    }

    /// <summary>Stores the members again: a server that this one has replaced may have stored older ones.</summary>
    public override IReadOnlyList<DomainName> CatchUp()
    {
        lock (_gate) _isUnsaved |= _consumed.Count > 0;
        Refresh();
        return [];
    }

    private void Refresh()
    {
        if (Interlocked.Exchange(ref _isWanted, 1) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(static catalogs => catalogs.TakeAll(), this, preferLocal: false);
    }

    private void TakeAll()
    {
        lock (_gate)
        {
            DomainName current = DomainName.Root;
            try
            {
                _isTaking = true;
                // Later publications cause another pass.
                Volatile.Write(ref _isWanted, 0);
                if (_registry is not { } registry) return;
                Restore();
                foreach (DomainName catalog in _consumed.Keys)
                {
                    current = catalog;
                    // A missing or expired one keeps its members.
                    if (registry.Find(catalog)?.Zone is not { } zone ||
                        ReferenceEquals(_taken.GetValueOrDefault(catalog), zone)) continue;
                    _isUnsaved |= _members.Take(catalog, zone);
                    _taken[catalog] = zone;
                }
                _secondaries.UseMembers([.. _members.Claims.Select(OptionsOf).OfType<SecondaryZoneOptions>()]);
                foreach (DomainName reset in _members.TakeResets()) _secondaries.Retransfer(reset);
                Save();
            }
            catch (Exception error)
            {
                _log.OnFault(current, error);
            }
            finally
            {
                _isTaking = false;
            }
        }
    }

    /// <summary>Before the first version, so that no other catalog gets a member because of the order.</summary>
    private void Restore()
    {
        if (_isRestored) return;
        _isUnsaved |= _members.Restore(_ownership.Load(out CopyDamage? damage));
        _isRestored = true;
        if (damage is not null) ReportUnsaved(damage.ToString());
    }

    private void Save()
    {
        if (!_isUnsaved) return;
        try
        {
            _ownership.Save(_members.Claims);
            _isUnsaved = false;
        }
        catch (Exception error) when (error is IOException or OutOfMemoryException)
        {
            ReportUnsaved(error.Message);
        }
    }

    private void ReportUnsaved(string problem)
    {
        foreach (DomainName catalog in _consumed.Keys) _log.OnNotStored(catalog, problem);
    }

    /// <summary>Why no catalog may add a zone; null if it may.</summary>
    private string? ProblemOf(DomainName zone)
    {
        if (_named.Contains(zone)) return "the settings have it";
        // It would answer for every name that is not served or forwarded.
        if (zone.Octets.Length == 1) return "the root can only be a zone of the settings";
        return _options.Forward.Any(forward => forward.Name.Equals(zone)) ? "it is forwarded by Dns:Forward" : null;
    }

    /// <summary>The options of a member; null if it is not served.</summary>
    private SecondaryZoneOptions? OptionsOf(CatalogClaim claim)
    {
        ZoneOptions catalog = _consumed[claim.Catalog];
        ZoneTemplate? template = claim.Member.Groups.Select(group => _options.Templates.GetValueOrDefault(group))
            .FirstOrDefault(found => found is { Role: not ZoneRole.Primary }) ?? catalog.MemberTemplate;
        IReadOnlyList<PeerAddress> primaries =
            template is { Primaries.Count: > 0 } ? template.Primaries : catalog.Primaries;
        string? problem =
            ProblemOf(claim.Member.Zone) ?? (primaries.Count == 0 ? "its template has no Primaries" : null);
        if (problem is null)
            return new SecondaryZoneOptions(claim.Member.Zone, primaries)
            {
                MinRefresh = template?.MinRefresh ?? _options.MinRefresh,
                AllowQuery = template?.AllowQuery,
                Policy = template?.Policy,
                Precedence = ZonePrecedence.Other,
            };
        if (_reported.Count < CatalogContent.MaxMembers && _reported.Add((claim.Catalog, claim.Member.Zone)))
            _log.OnConflict(claim.Catalog, claim.Member.Zone, problem);
        return null;
    }
}
