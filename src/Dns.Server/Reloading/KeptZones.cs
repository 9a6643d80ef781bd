using System.Text.Json.Serialization;
using Dns.Protocol;
using Dns.Providers;

namespace Dns.Server;

/// <summary>What <c>dnsd zone add</c> and <c>dnsd zone remove</c> have changed: the content of a <see cref="KeptZonesFile"/>.</summary>
internal sealed record KeptZones
{
    /// <summary>The version that is written and read.</summary>
    public const int CurrentVersion = 1;

    // Not init: the reader that is made at build time would lose what a file leaves out.
    /// <summary>The version of the format.</summary>
    public int Version { get; set; } = CurrentVersion;

    /// <summary>Zones that are served beside those of the settings.</summary>
    public IReadOnlyList<AddedZone> Added { get; set; } = [];

    /// <summary>Zones of the settings that are not served.</summary>
    public IReadOnlyList<string> Removed { get; set; } = [];

    /// <summary>With one more zone, or a zone from another file; it is not removed any more.</summary>
    public KeptZones WithAdded(ZoneFile file) => WithoutRemoved(file.Zone) with
    {
        Added = [.. Added.Where(zone => !zone.Is(file.Zone)), new AddedZone(file.Zone.ToString(), file.Path)],
    };

    /// <summary>Without an added zone.</summary>
    public KeptZones WithoutAdded(DomainName zone) => this with { Added = [.. Added.Where(added => !added.Is(zone))] };

    /// <summary>With a zone of the settings removed.</summary>
    public KeptZones WithRemoved(DomainName zone) => this with
    {
        Removed = [.. Removed.Where(removed => !AddedZone.IsSame(removed, zone)), zone.ToString()],
    };

    /// <summary>With a zone of the settings served again.</summary>
    public KeptZones WithoutRemoved(DomainName zone) => this with
    {
        Removed = [.. Removed.Where(removed => !AddedZone.IsSame(removed, zone))],
    };

    /// <summary>Whether every name is one and every file has its whole path.</summary>
    public bool IsValid() => Version == CurrentVersion
        && Added.All(zone => zone is not null && ZonesSetting.TryParseName(zone.Name, out _) && Path.IsPathFullyQualified(zone.File))
        && Removed.All(zone => zone is not null && ZonesSetting.TryParseName(zone, out _));
}

/// <summary>A zone that was added.</summary>
/// <param name="Name">Its name.</param>
/// <param name="File">The whole path of its file.</param>
internal sealed record AddedZone(string Name, string File)
{
    /// <summary>Whether it is a zone of this name.</summary>
    public bool Is(DomainName zone) => IsSame(Name, zone);

    /// <summary>Whether a text is the name of a zone.</summary>
    public static bool IsSame(string text, DomainName zone) => ZonesSetting.TryParseName(text, out DomainName? name) && name.Equals(zone);
}

/// <summary>How it is written.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true, RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(KeptZones))]
internal sealed partial class KeptZonesJson : JsonSerializerContext;
