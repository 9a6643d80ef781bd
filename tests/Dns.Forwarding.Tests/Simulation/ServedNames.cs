namespace Dns.Forwarding.Tests;

/// <summary>Names of zones that the server answers for by itself.</summary>
internal sealed class ServedNames : IServedZones
{
    private DomainName[] _zones = [];

    public long Snapshot { get; private set; } = 1;

    public void Use(params string[] zones)
    {
        _zones = [.. zones.Select(DomainName.Parse)];
        Snapshot++;
    }

    public int ZoneLabels(scoped ref readonly LookupName name, RRType type)
    {
        int longest = -1;
        foreach (DomainName zone in _zones)
        {
            int labels = WireName.CountLabels(zone.Octets), skipped = name.LabelCount - labels;
            if (skipped >= (type == RRType.DS ? 1 : 0) && name.Suffix(skipped).SequenceEqual(zone.Octets))
                longest = Math.Max(longest, labels);
        }
        return longest;
    }
}
