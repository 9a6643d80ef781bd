namespace Dns.Zones;

/// <summary>Where a zone comes from, for people.</summary>
/// <param name="Words">In words, such as <c>the settings</c>.</param>
/// <param name="Place">Where exactly: the path of a file, an address; null if there is nothing to say.</param>
public readonly record struct ZoneOrigin(string Words, string? Place)
{
    /// <summary>Whether the zone was given by its own name, and not found among others.</summary>
    public bool IsGivenByName { get; init; }

    /// <inheritdoc/>
    public override string ToString() => Place is null ? Words : $"{Words}, {Place}";
}
