using System.Collections.Frozen;
using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// All zones of a server: from a query name to the zone with the longest matching name. Immutable; a new set is made
/// only when zones come or go, not when their content changes.
/// </summary>
public sealed class ZoneSet
{
    /// <summary>The key of a zone: the hash of its name. The name itself is verified by the look-up.</summary>
    private readonly record struct ZoneKey(ulong Hash)
    {
        public override int GetHashCode() => (int)Hash;
    }

    private const int ManyLabels = 63;

    private static long _snapshots;

    private readonly FrozenDictionary<ZoneKey, ZoneSlot> _slots;

    // Slots whose names have the hash of another's that stands in the dictionary: nearly always none. They are kept
    // here and not as a chain through the slots, because a slot stands in several sets while zones come and go.
    private readonly ZoneSlot[] _collided;

    // One bit for each number of labels that some zone's name has, the last for all from 63: no other suffix needs
    // to be looked up.
    private readonly ulong _labelCounts;

    private ZoneSet(
        FrozenDictionary<ZoneKey, ZoneSlot> slots, ZoneSlot[] collided, ulong labelCounts, IReadOnlyList<ZoneSlot> all)
    {
        _slots = slots;
        _collided = collided;
        _labelCounts = labelCounts;
        Slots = all;
    }

    /// <summary>A number that no other set of this process has, nor ever had; above 0.</summary>
    public long Snapshot { get; } = Interlocked.Increment(ref _snapshots);

    /// <summary>The set without zones.</summary>
    public static ZoneSet Empty { get; } = Create([]);

    /// <summary>All zones, in the order in which they were given.</summary>
    public IReadOnlyList<ZoneSlot> Slots { get; }

    /// <summary>Makes a set. The slots may stand in other sets that are in use; nothing of them is changed.</summary>
    /// <exception cref="ArgumentException">Two slots have the same name.</exception>
    public static ZoneSet Create(IEnumerable<ZoneSlot> slots)
    {
        ZoneSlot[] all = [.. slots];
        Dictionary<ZoneKey, ZoneSlot> byHash = new(all.Length);
        List<ZoneSlot> collided = [];
        ulong labelCounts = 0;
        foreach (ZoneSlot slot in all)
        {
            ZoneKey key = new(NameHash.Compute(slot.Name.Octets));
            if (!byHash.TryAdd(key, slot))
            {
                if (byHash[key].Name.Equals(slot.Name) || collided.Exists(other => other.Name.Equals(slot.Name)))
                    throw new ArgumentException($"zone {slot.Name} is given twice");
                collided.Add(slot);
            }
            labelCounts |= 1UL << Math.Min(slot.LabelCount, ManyLabels);
        }
        return new ZoneSet(byHash.ToFrozenDictionary(), [.. collided], labelCounts, all);
    }

    /// <summary>
    /// Finds the zone with the longest name at or above the suffix that leaves out the first
    /// <paramref name="skippedLabels"/> labels of <paramref name="name"/>; null if there is none.
    /// </summary>
    /// <param name="name">The name.</param>
    /// <param name="skippedLabels">How many labels to leave out at least; more than the name has finds nothing.</param>
    /// <param name="apexSkip">How many labels of the name stand in front of the zone's name.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ZoneSlot? Find(scoped ref readonly LookupName name, int skippedLabels, out int apexSkip)
    {
        for (apexSkip = skippedLabels; apexSkip <= name.LabelCount; apexSkip++)
        {
            if ((_labelCounts >> Math.Min(name.LabelCount - apexSkip, ManyLabels) & 1) == 0) continue;
            if (!_slots.TryGetValue(new ZoneKey(name.SuffixHash(apexSkip)), out ZoneSlot? slot)) continue;
            ReadOnlySpan<byte> suffix = name.Suffix(apexSkip);
            if (WireName.EqualsIgnoreCase(slot.Name.Octets, suffix)) return slot;
            if (_collided.Length > 0 && FindCollided(suffix) is { } other) return other;
        }
        return null;
    }

    private ZoneSlot? FindCollided(scoped ReadOnlySpan<byte> name)
    {
        foreach (ZoneSlot slot in _collided)
            if (WireName.EqualsIgnoreCase(slot.Name.Octets, name)) return slot;
        return null;
    }

    /// <summary>The zone of exactly this name; null if there is none.</summary>
    public ZoneSlot? FindExact(DomainName name)
    {
        Unsafe.SkipInit(out LookupName lookup);
        lookup.Set(name.Octets);
        return Find(in lookup, 0, out int skip) is { } slot && skip == 0 ? slot : null;
    }
}
