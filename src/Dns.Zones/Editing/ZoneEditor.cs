using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// Makes the next version of a zone, which shares with this one all that does not change: it costs what the change costs, not
/// what the zone does. This version stays as it is, and may go on being read.
/// </summary>
/// <remarks>
/// Any number of editors may start from one version, on any threads: each makes a version of its own. That which begins while the
/// version is the newest appends to its memory, the others begin memory of theirs.
/// </remarks>
public sealed class ZoneEditor
{
    private readonly Zone _zone;
    private readonly ZoneLimits _limits;

    private ZoneEditor(Zone zone, ZoneLimits limits) => (_zone, _limits) = (zone, limits);

    /// <summary>An editor that starts from a version.</summary>
    /// <param name="zone">The version.</param>
    /// <param name="limits">How large a name may become; null = <see cref="ZoneLimits.Default"/>.</param>
    public static ZoneEditor From(Zone zone, ZoneLimits? limits = null) => new(zone, limits ?? ZoneLimits.Default);

    /// <summary>Whether a type may stand at the owner of a CNAME: a delta that puts another there is refused.</summary>
    public static bool IsAllowedBesideCname(RRType type) => NodeDiagnostic.IsAllowedBesideCname(type);

    /// <summary>Applies a delta, whole or not at all.</summary>
    /// <returns>The next version, or what of the delta does not fit.</returns>
    public ZoneEditResult Apply(ZoneDelta delta)
    {
        if (!WireName.EqualsIgnoreCase(delta.Zone.Octets, _zone.Apex))
            return Fail(delta, $"found a change of {delta.Zone}, expected one of {NameText.ToText(_zone.Apex)}");
        if (delta.SerialFrom != _zone.Serial)
            return Fail(delta, $"found a change of serial {delta.SerialFrom}, expected one of {_zone.Serial}");
        ZoneEdit edit = new(_zone, _limits);
        Zone? next = null;
        try
        {
            next = edit.Apply(delta);
        }
        catch (ZoneFullException)
        {
            edit.Fail(ZoneEditErrorKind.TooLarge, _zone.Apex, 0, "found no room for the change, expected a zone of at most 16 GiB");
        }
        finally
        {
            if (next is null) edit.Discard();
        }
        return new ZoneEditResult(next, next is null ? edit.Error : null);
    }

    private static ZoneEditResult Fail(ZoneDelta delta, string message) =>
        new(null, new ZoneEditError(ZoneEditErrorKind.OtherVersion, delta.Zone, RRType.SOA, message));
}
