namespace Dns.Zones;

/// <summary>
/// A position in a walk over the nodes of one version of a zone; the default value is before the first.
/// </summary>
public struct ZoneCursor
{
    internal int Segment;
    internal int Offset;
}
