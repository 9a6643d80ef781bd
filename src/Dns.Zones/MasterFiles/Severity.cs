namespace Dns.Zones;

/// <summary>Whether a zone with this finding is served.</summary>
public enum Severity : byte
{
    /// <summary>The zone is served, but should be checked.</summary>
    Warning,
    /// <summary>The zone is not served.</summary>
    Error,
}
