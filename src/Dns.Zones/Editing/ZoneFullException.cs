namespace Dns.Zones.Editing;

/// <summary>An edit needs more memory than a zone can address. Caught in the editor.</summary>
internal sealed class ZoneFullException : Exception;
