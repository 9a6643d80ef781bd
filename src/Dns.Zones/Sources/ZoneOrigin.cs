namespace Dns.Zones.Sources;

/// <summary>The origin of a zone, for display.</summary>
/// <param name="Source">As text, such as <c>the settings</c>.</param>
/// <param name="Path">The path of a file, an address; null if none.</param>
public readonly record struct ZoneOrigin(string Source, string? Path)
{
    /// <summary>Whether the zone was configured by name, instead of found in a directory.</summary>
    public bool IsGivenByName { get; init; }

    /// <inheritdoc/>
    public override string ToString() => Path is null ? Source : $"{Source}, {Path}";
}
