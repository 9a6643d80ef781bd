namespace Dns.Zones.Editing;

/// <content>The difference of two versions.</content>
public sealed partial class ZoneDelta
{
    /// <summary>
    /// The delta from <paramref name="old"/> to <paramref name="now"/>. Records are compared octet by octet, including
    /// the letter case of names; their order is ignored.
    /// </summary>
    /// <exception cref="ArgumentException">They are of different zones.</exception>
    public static ZoneDelta Between(Zone old, Zone now)
    {
        TryFindBetween(old, now, long.MaxValue, out ZoneDelta? delta);
        return delta!;
    }

    /// <summary>The same, or null with more records than <paramref name="most"/>.</summary>
    public static bool TryFindBetween(Zone old, Zone now, long most, [NotNullWhen(true)] out ZoneDelta? delta)
    {
        if (!old.Apex.SequenceEqual(now.Apex))
            throw new ArgumentException("the versions are of different zones", nameof(now));
        ZoneDifference difference = new(old, now, most);
        delta = difference.TryFind() ? difference.Delta : null;
        return delta is not null;
    }
}
