namespace Dns.Zones.Lookup;

/// <summary>A position in a walk over the nodes of one version of a zone; by default before the first.</summary>
public struct ZoneCursor
{
    internal int Segment;
    internal int Offset;
}
