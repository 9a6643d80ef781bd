using System.Collections.Frozen;

namespace Dns.Forwarding;

/// <summary>Finds the longest forwarded zone that holds a name, by hashes of its suffixes. Allocates nothing.</summary>
internal sealed class ForwardedNames
{
    private readonly FrozenDictionary<ulong, ZoneUpstreams> _zones;

    /// <summary>Indexes zones by the hash of their names, which are unique.</summary>
    internal ForwardedNames(IEnumerable<ZoneUpstreams> zones) =>
        _zones = zones.ToFrozenDictionary(zone => NameHash.Compute(zone.Name.Octets));

    /// <summary>Finds the zone of the name without its first labels.</summary>
    /// <param name="skippedLabels">Labels to skip: 1 for DS, which belongs to the parent zone.</param>
    /// <param name="labels">Label count of the zone's name; -1 if there is none.</param>
    internal ZoneUpstreams? Find(scoped ref readonly LookupName name, int skippedLabels, out int labels)
    {
        for (int skipped = skippedLabels; skipped <= name.LabelCount; skipped++)
            if (_zones.TryGetValue(name.SuffixHash(skipped), out ZoneUpstreams? zone)
                && WireName.EqualsIgnoreCase(zone.Name.Octets, name.Suffix(skipped)))
            {
                labels = name.LabelCount - skipped;
                return zone;
            }
        labels = -1;
        return null;
    }
}
