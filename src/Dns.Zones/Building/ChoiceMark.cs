namespace Dns.Zones.Building;

/// <summary>The mark on a name whose RRsets are chosen from when they are written.</summary>
public static class ChoiceMark
{
    /// <summary>
    /// A record of this type (65410, for private use) marks its name, in every version of the zone that has it. Its
    /// RDATA is for the step that chooses.
    /// </summary>
    public const RRType Type = (RRType)65410;
}
