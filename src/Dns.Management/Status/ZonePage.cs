using System.Text.Json.Serialization;

namespace Dns.Management.Status;

/// <summary>A part of the list of zones.</summary>
public sealed record ZonePage
{
    public IReadOnlyList<ZoneStatus> Zones { get; init; } = [];

    /// <summary>The number of zones after these.</summary>
    public int Left { get; init; }

    /// <summary>The page, from 1.</summary>
    [JsonIgnore]
    public int Number { get; init; } = 1;

    /// <summary>Zones on a full page.</summary>
    [JsonIgnore]
    public int Size { get; init; } = 1;

    /// <summary>Zones on all pages.</summary>
    [JsonIgnore]
    public int Matches { get; init; }

    [JsonIgnore]
    public int Last => Math.Max(1, (Matches + Size - 1) / Size);

    /// <summary>The first zones sorted by name.</summary>
    public static ZonePage Of(IEnumerable<ZoneSlot> zones, int limit, DateTimeOffset now = default) =>
        Cut([.. zones.Order(ByName)], 1, limit, now);

    /// <summary>A page of the zones whose name contains a text: errors first, then DNSSEC problems.</summary>
    public static ZonePage Of(IEnumerable<ZoneSlot> zones, string search, int number, int size,
        DateTimeOffset now = default) =>
        Cut(
            [.. zones.Where(zone => Has(zone, search)).OrderBy(zone => Urgency(zone, now))
                .ThenBy(zone => zone, ByName)],
            number, size, now);

    private static ZonePage Cut(List<ZoneSlot> found, int number, int size, DateTimeOffset now)
    {
        int page = Math.Min(number, Math.Max(1, (found.Count + size - 1) / Math.Max(size, 1)));
        ZoneStatus[] zones = [.. found.Skip((page - 1) * size).Take(size).Select(zone => ZoneStatus.Of(zone, now))];
        return new ZonePage
        {
            Zones = zones,
            Left = found.Count - (page - 1) * size - zones.Length,
            Number = page,
            Size = Math.Max(size, 1),
            Matches = found.Count,
        };
    }

    private static bool Has(ZoneSlot zone, string search) =>
        search.Length == 0 || zone.Name.ToString().Contains(search, StringComparison.OrdinalIgnoreCase);

    private static int Urgency(ZoneSlot zone, DateTimeOffset now) => (zone.State, zone.Zone) switch
    {
        (ZoneState.Failed or ZoneState.Expired, _) => 0,
        (ZoneState.Stale, _) => 1,
        (ZoneState.Loading, _) => 2,
        (_, { IsSigned: true }) when SignatureFault.Of(zone, now) is not null => 3,
        _ => 4,
    };

    // Without formatting a million names: label by label, the order of the texts except for a few characters below the
    // dot.
    private static readonly Comparer<ZoneSlot> ByName = Comparer<ZoneSlot>.Create((one, other) =>
    {
        ReadOnlySpan<byte> a = one.Name.Octets, b = other.Name.Octets;
        while (a[0] != 0 && b[0] != 0)
        {
            int order = a[1..(a[0] + 1)].SequenceCompareTo(b[1..(b[0] + 1)]);
            if (order != 0) return order;
            a = a[(a[0] + 1)..];
            b = b[(b[0] + 1)..];
        }
        return a[0].CompareTo(b[0]);
    });
}
