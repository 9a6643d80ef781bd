using System.Collections.Immutable;

namespace Dns.Zones.Denial;

/// <summary>When the signatures of a zone's version expire, by the hour. Immutable; an edit derives the next.</summary>
public sealed class SignatureDates
{
    private const int HourSeconds = 3600;
    private const int ExpirationAt = 8;

    // RFC 4034 §3.1: the octets before the signer's name.
    private const int FixedOctets = 18;

    private readonly record struct Hour(int Count, uint Earliest);

    private readonly ImmutableSortedDictionary<uint, Hour> _hours;

    private SignatureDates(ImmutableSortedDictionary<uint, Hour> hours) => _hours = hours;

    /// <summary>
    /// When the first signature expires, in seconds since 1970; null if there is none. In an edited version it may be
    /// early by less than an hour.
    /// </summary>
    public uint? Earliest => _hours.IsEmpty ? null : _hours.First().Value.Earliest;

    /// <summary>Counts all signatures of a version.</summary>
    internal static SignatureDates Find(Zone zone)
    {
        Dictionary<uint, Hour> hours = [];
        List<uint> dates = [];
        ZoneCursor cursor = default;
        while (zone.TryNext(ref cursor, out ZoneNode node))
        {
            dates.Clear();
            Collect(node, dates);
            foreach (uint date in dates)
            {
                ref Hour hour =
                    ref CollectionsMarshal.GetValueRefOrAddDefault(hours, date / HourSeconds, out bool isKnown);
                hour = new Hour(hour.Count + 1, isKnown ? Math.Min(hour.Earliest, date) : date);
            }
        }
        return new SignatureDates(hours.ToImmutableSortedDictionary());
    }

    /// <summary>Adds the expirations of a node's signatures to a list.</summary>
    internal static void Collect(ZoneNode node, List<uint> dates)
    {
        foreach (RRset rrset in node)
        {
            if (rrset.Type != RRType.RRSIG) continue;
            foreach (ReadOnlySpan<byte> rdata in rrset)
                if (rdata.Length >= FixedOctets) dates.Add(BinaryPrimitives.ReadUInt32BigEndian(rdata[ExpirationAt..]));
        }
    }

    /// <summary>A copy without some signatures and with others.</summary>
    internal SignatureDates With(List<uint> removed, List<uint> added)
    {
        ImmutableSortedDictionary<uint, Hour>.Builder hours = _hours.ToBuilder();
        foreach (uint date in added)
        {
            bool isKnown = hours.TryGetValue(date / HourSeconds, out Hour hour);
            hours[date / HourSeconds] = new Hour(hour.Count + 1, isKnown ? Math.Min(hour.Earliest, date) : date);
        }
        foreach (uint date in removed)
        {
            if (!hours.TryGetValue(date / HourSeconds, out Hour hour)) continue;
            if (hour.Count == 1) hours.Remove(date / HourSeconds);
            else hours[date / HourSeconds] = hour with { Count = hour.Count - 1 };
        }
        return new SignatureDates(hours.ToImmutable());
    }
}
