namespace Dns.Zones;

/// <summary>An edit needs more memory than a zone can address. Never leaves the editor.</summary>
internal sealed class ZoneFullException : Exception;
