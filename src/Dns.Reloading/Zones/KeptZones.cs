using System.Text.Json.Serialization;

namespace Dns.Reloading.Zones;

/// <summary>The changes of <c>dnsd zone add</c> and <c>remove</c>, as a <see cref="KeptZonesFile"/> has them.</summary>
public sealed record KeptZones
{
    /// <summary>The supported version.</summary>
    public const int CurrentVersion = 1;

    // Not init: the generated reader would overwrite the defaults of missing members.
    public int Version { get; set; } = CurrentVersion;

    /// <summary>Zones served besides those of the settings.</summary>
    public IReadOnlyList<AddedZone> Added { get; set; } = [];

    /// <summary>Zones of the settings that are not served.</summary>
    public IReadOnlyList<string> Removed { get; set; } = [];

    /// <summary>Adds a zone, or changes its file, and clears its removal.</summary>
    public KeptZones WithAdded(ZoneFile file) => WithoutRemoved(file.Zone) with
    {
        Added = [.. Added.Where(zone => !zone.Is(file.Zone)), new AddedZone(file.Zone.ToString(), file.Path)],
    };

    public KeptZones WithoutAdded(DomainName zone) => this with { Added = [.. Added.Where(added => !added.Is(zone))] };

    public KeptZones WithRemoved(DomainName zone) => this with
    {
        Removed = [.. Removed.Where(removed => !AddedZone.IsSame(removed, zone)), zone.ToString()],
    };

    public KeptZones WithoutRemoved(DomainName zone) => this with
    {
        Removed = [.. Removed.Where(removed => !AddedZone.IsSame(removed, zone))],
    };

    /// <summary>Whether every name is valid and every path absolute.</summary>
    public bool IsValid() => Version == CurrentVersion
        &&
        Added.All(zone =>
            zone is not null && ZonesSetting.TryParseName(zone.Name, out _) && Path.IsPathFullyQualified(zone.File))
        && Removed.All(zone => zone is not null && ZonesSetting.TryParseName(zone, out _));
}

/// <summary>An added zone.</summary>
/// <param name="File">The absolute path of its file.</param>
public sealed record AddedZone(string Name, string File)
{
    public bool Is(DomainName zone) => IsSame(Name, zone);

    /// <summary>Whether a text is the name of a zone.</summary>
    public static bool IsSame(string text, DomainName zone) =>
        ZonesSetting.TryParseName(text, out DomainName? name) && name.Equals(zone);
}

/// <summary>The format of the file of <see cref="KeptZones"/>.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true, RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(KeptZones))]
public sealed partial class KeptZonesJson : JsonSerializerContext;
