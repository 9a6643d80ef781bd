using Dns.Protocol;
using Dns.Providers;

namespace Dns.Server;

/// <summary>
/// Where the zones come from at this moment: the directories of the settings, and what the operator has added and removed
/// since the start. Zones given by name are not kept here; the provider knows their files. Thread-safe.
/// </summary>
internal sealed class ZoneSources(TimeProvider clock)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<DomainName, ZoneFile> _added = [];
    // With the clients they are for, lest a zone that is added again is for everybody.
    private readonly Dictionary<DomainName, ClientNetworks?> _removed = [];
    private IReadOnlyList<ZoneOptions> _directories = [];

    /// <summary>The directories of zone files.</summary>
    public IReadOnlyList<ZoneOptions> Directories
    {
        get
        {
            lock (_lock) return _directories;
        }
    }

    /// <summary>When the directories of the settings were listed as a whole for the last time, or about to be.</summary>
    public DateTimeOffset ListedAt { get; private set; } = clock.GetUtcNow();

    /// <summary>Takes over the directories among the zones of the settings.</summary>
    public void Use(IReadOnlyList<ZoneOptions> zones)
    {
        lock (_lock) _directories = [.. zones.Where(zone => zone.Name is null)];
    }

    /// <summary>The file of a zone that is to be added, for the clients that the settings have it for if it was removed.</summary>
    public ZoneFile ForItsClients(ZoneFile file)
    {
        lock (_lock)
            return _removed.TryGetValue(file.Zone, out ClientNetworks? clients) ? file with { AllowQuery = clients } : file;
    }

    /// <summary>Keeps a zone in mind that was added; it stays until the server ends.</summary>
    public void Add(ZoneFile file)
    {
        lock (_lock)
        {
            _removed.Remove(file.Zone);
            _added[file.Zone] = file;
        }
    }

    /// <summary>Keeps a zone in mind that was removed, whatever the settings say, until the server ends.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="clients">Who it is for; null = everybody.</param>
    public void Remove(DomainName zone, ClientNetworks? clients)
    {
        lock (_lock)
        {
            _added.Remove(zone);
            _removed[zone] = clients;
        }
    }

    /// <summary>The files of settings: zones by name, those of directories, what was added, without what was removed.</summary>
    public ZoneExpansion Expand(IReadOnlyList<ZoneOptions> zones)
    {
        ListedAt = clock.GetUtcNow();
        ZoneExpansion found = ZoneExpansion.Of(zones);
        lock (_lock)
        {
            if (_added.Count == 0 && _removed.Count == 0) return found;
            foreach (ZoneFile file in found.Files)
                if (_removed.ContainsKey(file.Zone)) _removed[file.Zone] = file.AllowQuery;
            Dictionary<DomainName, ClientNetworks?> allowed = found.Files
                .Where(file => _added.ContainsKey(file.Zone)).ToDictionary(file => file.Zone, file => file.AllowQuery);
            return found with
            {
                Files =
                [
                    .. found.Files.Where(file => !_removed.ContainsKey(file.Zone) && !_added.ContainsKey(file.Zone)),
                    // Another file for a zone of the settings, to the same clients.
                    .. _added.Values.Select(file => allowed.TryGetValue(file.Zone, out ClientNetworks? clients)
                        ? file with { AllowQuery = clients } : file),
                ],
            };
        }
    }

    /// <summary>The files of the directories that are not known, without what was added or removed by name.</summary>
    public ZoneExpansion ExpandDirectories(KnownZoneFile isKnown)
    {
        ZoneExpansion found = ZoneExpansion.Of(Directories, isKnown);
        lock (_lock)
        {
            if (_added.Count == 0 && _removed.Count == 0) return found;
            return found with
            {
                Files = [.. found.Files.Where(file => !_removed.ContainsKey(file.Zone) && !_added.ContainsKey(file.Zone))],
            };
        }
    }

    /// <summary>Whether a file in a directory would be a zone's.</summary>
    public bool IsZoneFile(string directory, string fileName)
    {
        foreach (ZoneOptions zone in Directories)
            if (zone.Path == directory && ZoneDirectory.Holds(zone.Pattern, fileName)) return true;
        return false;
    }
}
