namespace Dns.Zones.MasterFiles;

/// <summary>The severity of a diagnostic.</summary>
public enum Severity : byte
{
    /// <summary>The zone is served, but should be checked.</summary>
    Warning,
    /// <summary>The zone is not served.</summary>
    Error,
}
