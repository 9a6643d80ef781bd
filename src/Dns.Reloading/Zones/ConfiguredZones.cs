namespace Dns.Reloading.Zones;

/// <summary>
/// Zone configuration: directories of the settings, and zones added and removed by the operator. Files of zones with
/// their own entry are the provider's. Zones of the settings take precedence over added ones. Thread-safe.
/// </summary>
/// <param name="state">Stores added and removed zones; null = until the server ends.</param>
public sealed class ConfiguredZones(TimeProvider clock, KeptZonesFile? state = null)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<DomainName, ZoneFile> _added = [];
    private readonly Dictionary<DomainName, Removal> _removed = [];
    private HashSet<DomainName> _overruled = [];
    private IReadOnlyList<ZoneOptions> _directories = [];

    /// <summary>Creates it at a start, with the saved state.</summary>
    public static ConfiguredZones Of(
        SettingsArguments arguments, Settings settings, System.Collections.IDictionary environment,
        TimeProvider clock) =>
        new(clock,
            Configuration.Options.StateDirectory.Of(arguments, settings, environment) is { } directory
                ? new KeptZonesFile(directory) : null);

    public IReadOnlyList<ZoneOptions> Directories
    {
        get
        {
            lock (_lock) return _directories;
        }
    }

    /// <summary>When a full listing of the directories of the settings last started.</summary>
    public DateTimeOffset ListedAt { get; private set; } = clock.GetUtcNow();

    public string? StateDirectory => Path.GetDirectoryName(state?.Path);

    /// <summary>The file of added and removed zones; null = they last until the server ends.</summary>
    public string? StateFile => state?.Path;

    /// <summary>How long changes by commands last, as text.</summary>
    public string Lasting => state is null ? "until the server ends (Dns:StateDirectory)" : $"kept in {state.Path}";

    /// <summary>Loads and counts the zones added and removed before the start; returns the error, or null.</summary>
    public string? Load(out int zones)
    {
        zones = 0;
        if (state is null) return null;
        if (!state.TryRead(out KeptZones? kept, out string? fault)) return fault;
        lock (_lock)
        {
            foreach (ZoneFile zone in FilesOf(kept)) _added[zone.Zone] = zone;
            foreach (string zone in kept.Removed) _removed[DomainName.Parse(zone)] = default;
            zones = _added.Count + _removed.Count;
        }
        return null;
    }

    private static IEnumerable<ZoneFile> FilesOf(KeptZones kept) =>
        kept.Added.Select(zone => ZoneFile.At(DomainName.Parse(zone.Name), zone.File) with { IsNamed = true });

    /// <summary>
    /// Follows what another process, which this one replaces, has saved since <see cref="Load"/>: true if zones were
    /// added or removed, which the next <see cref="Expand"/> returns.
    /// </summary>
    public bool CatchUp()
    {
        lock (_lock)
        {
            // Of a file that cannot be read, the next command reports the error.
            if (state is null || !state.TryRead(out KeptZones? kept, out _)) return false;
            ZoneFile[] added = [.. FilesOf(kept)];
            HashSet<DomainName> removed = [.. kept.Removed.Select(zone => DomainName.Parse(zone))];
            if (removed.SetEquals(_removed.Keys) && added.Length == _added.Count
                && added.All(zone => _added.TryGetValue(zone.Zone, out ZoneFile known) && known.Path == zone.Path))
                return false;
            _added.Clear();
            foreach (ZoneFile zone in added) _added[zone.Zone] = zone;
            foreach (DomainName zone in _removed.Keys.Where(zone => !removed.Contains(zone)).ToArray())
                _removed.Remove(zone);
            foreach (DomainName zone in removed) _removed.TryAdd(zone, default);
            return true;
        }
    }

    /// <summary>Sets the directories of the settings.</summary>
    public void Use(IReadOnlyList<ZoneOptions> zones)
    {
        lock (_lock) _directories = [.. zones.Where(zone => zone.Name is null)];
    }

    /// <summary>Whether the served file of a zone was added.</summary>
    public bool IsAdded(ZoneFile file)
    {
        lock (_lock) return _added.TryGetValue(file.Zone, out ZoneFile added) && added.Path == file.Path;
    }

    /// <summary>The file of a removed zone in the settings; null if not removed, or not in the settings.</summary>
    public ZoneFile? RemovedFile(DomainName zone)
    {
        lock (_lock) return _removed.TryGetValue(zone, out Removal removal) ? removal.File : null;
    }

    /// <summary>The file of a zone to add, with the clients of the settings if it was removed.</summary>
    public ZoneFile ForItsClients(ZoneFile file)
    {
        lock (_lock)
            return _removed.TryGetValue(file.Zone, out Removal removal)
                ? file with { AllowQuery = removal.Clients, Policy = removal.Policy } : file;
    }

    /// <summary>Saves an added zone.</summary>
    /// <exception cref="IOException">It cannot be saved; nothing has changed.</exception>
    public void Add(ZoneFile file)
    {
        lock (_lock)
        {
            state?.Change(kept => kept.WithAdded(file));
            _removed.Remove(file.Zone);
            _overruled.Remove(file.Zone);
            _added[file.Zone] = file;
        }
    }

    /// <summary>Saves that a removed zone of the settings is served again.</summary>
    /// <exception cref="IOException">It cannot be saved; nothing has changed.</exception>
    public void Restore(DomainName zone)
    {
        lock (_lock)
        {
            if (!_removed.ContainsKey(zone)) return;
            state?.Change(kept => kept.WithoutRemoved(zone));
            _removed.Remove(zone);
        }
    }

    /// <summary>Saves that a zone was removed, whatever the settings say.</summary>
    /// <exception cref="IOException">It cannot be saved; nothing has changed.</exception>
    public void Remove(ZoneFile file)
    {
        lock (_lock)
        {
            bool isOfSettings = !IsAdded(file) || _overruled.Contains(file.Zone);
            state?.Change(kept =>
                isOfSettings ? kept.WithoutAdded(file.Zone).WithRemoved(file.Zone) : kept.WithoutAdded(file.Zone));
            _added.Remove(file.Zone);
            if (isOfSettings) _removed[file.Zone] = new Removal(file, file.AllowQuery, file.Policy);
        }
    }

    public IReadOnlyList<ZoneFile> Added
    {
        get
        {
            lock (_lock) return [.. _added.Values];
        }
    }

    /// <summary>The files of settings and directories without removed zones; and the added ones.</summary>
    public ZoneExpansion Expand(IReadOnlyList<ZoneOptions> zones)
    {
        ListedAt = clock.GetUtcNow();
        ZoneExpansion found = ZoneExpansion.Of(zones);
        lock (_lock)
        {
            if (_added.Count == 0 && _removed.Count == 0) return found;
            foreach (DomainName zone in _removed.Keys.ToArray()) _removed[zone] = _removed[zone] with { File = null };
            List<string> notes = [], overruled = [];
            _overruled = [];
            List<ZoneFile> ofSettings = new(found.OfSettings.Count);
            foreach (ZoneFile file in found.OfSettings)
            {
                if (_removed.ContainsKey(file.Zone))
                {
                    _removed[file.Zone] = new Removal(file, file.AllowQuery, file.Policy);
                    notes.Add($"zone {file.Zone} of the settings is not served: \"dnsd zone remove\" took it out, "
                        + $"\"dnsd zone add {file.Zone} {file.Path}\" brings it back");
                    continue;
                }
                ofSettings.Add(file);
                bool isAdded = _added.TryGetValue(file.Zone, out ZoneFile added);
                if (isAdded) _overruled.Add(file.Zone);
                if (isAdded && added.Path != file.Path)
                    overruled.Add(
                        $"zone {file.Zone} is that of the settings, {file.Path}: {added.Path}, which was added, " +
                            $"is not used");
            }
            return found with
            {
                Files = [.. ofSettings, .. _added.Values.Where(file => !_overruled.Contains(file.Zone))],
                OfSettings = ofSettings,
                OfCommands = [.. _added.Values],
                Changed = notes,
                Overruled = overruled,
            };
        }
    }

    /// <summary>New files in the directories, without zones removed by name.</summary>
    public ZoneExpansion ExpandDirectories(KnownZoneFile isKnown)
    {
        ZoneExpansion found = ZoneExpansion.Of(Directories, isKnown);
        lock (_lock)
        {
            if (_removed.Count == 0) return found;
            return found with { Files = [.. found.Files.Where(file => !_removed.ContainsKey(file.Zone))] };
        }
    }

    /// <summary>Whether a file in a directory would be a zone's.</summary>
    public bool IsZoneFile(string directory, string fileName)
    {
        foreach (ZoneOptions zone in Directories)
            if (zone.Path == directory && ZoneDirectory.Holds(directory, zone.Pattern, fileName)) return true;
        return false;
    }

    /// <summary>A removed zone.</summary>
    /// <param name="File">Its file in the settings; null if none.</param>
    /// <param name="Clients">Its clients, restored when it is added again; null = all.</param>
    private readonly record struct Removal(ZoneFile? File, ClientNetworks? Clients, ZonePolicy? Policy);
}
