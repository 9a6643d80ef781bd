namespace Dns.Zones;

/// <summary>Where a walk over the nodes of one version of a zone stands; the default value is before the first.</summary>
public struct ZoneCursor
{
    internal int Segment;
    internal int Place;
}
