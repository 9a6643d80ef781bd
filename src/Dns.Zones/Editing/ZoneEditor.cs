namespace Dns.Zones.Editing;

/// <summary>
/// Makes the next version of a zone, which shares unchanged memory with this one: the cost depends on the change, not
/// on the zone. This version is unchanged and remains readable.
/// </summary>
/// <remarks>
/// Any number of editors may start from one version, on any threads: each makes its own version. One that starts while
/// the version is the newest appends to its memory, the others start new segments.
/// </remarks>
public sealed class ZoneEditor
{
    private readonly Zone _zone;
    private readonly ZoneLimits _limits;

    private ZoneEditor(Zone zone, ZoneLimits limits) => (_zone, _limits) = (zone, limits);

    /// <summary>Creates an editor for a version.</summary>
    /// <param name="limits">Limits of a name; null = <see cref="ZoneLimits.Default"/>.</param>
    public static ZoneEditor From(Zone zone, ZoneLimits? limits = null) => new(zone, limits ?? ZoneLimits.Default);

    /// <summary>Whether a type is allowed at the owner of a CNAME: a delta that adds another is refused.</summary>
    public static bool IsAllowedBesideCname(RRType type) => NodeDiagnostic.IsAllowedBesideCname(type);

    /// <summary>Names that the last delta visited without writing them.</summary>
    internal int VisitedNames { get; private set; }

    /// <summary>Applies a delta atomically.</summary>
    public ZoneEditResult Apply(ZoneDelta delta)
    {
        if (!WireName.EqualsIgnoreCase(delta.Zone.Octets, _zone.Apex))
            return Fail(delta, $"found a change of {delta.Zone}, expected one of {NameText.ToText(_zone.Apex)}");
        if (delta.SerialFrom != _zone.Serial)
            return Fail(delta, $"found a change of serial {delta.SerialFrom}, expected one of {_zone.Serial}");
        EditScratch scratch = EditScratch.Rent();
        ZoneEdit edit = new(_zone, _limits, scratch);
        Zone? next = null;
        try
        {
            next = edit.Apply(delta);
        }
        catch (ZoneFullException)
        {
            edit.Fail(ZoneEditErrorKind.TooLarge, _zone.Apex, 0,
                "found no room for the change, expected a zone of at most 16 GiB");
        }
        finally
        {
            VisitedNames = edit.VisitedNames;
            if (next is null) edit.Discard();
            scratch.Return();
        }
        return new ZoneEditResult(next, next is null ? edit.Error : null);
    }

    private static ZoneEditResult Fail(ZoneDelta delta, string message) =>
        new(null, new ZoneEditError(ZoneEditErrorKind.OtherVersion, delta.Zone, RRType.SOA, message));
}
