using Dns.Protocol;
using Dns.Zones;

namespace Dns.Providers;

/// <summary>
/// A zone and the master file it comes from. The directory is one string for all files in it: a server can have
/// 100,000 of these.
/// </summary>
/// <param name="Zone">The zone's name.</param>
/// <param name="Directory">Where the file is.</param>
/// <param name="FileName">The name of the file in the directory.</param>
public readonly record struct ZoneFile(DomainName Zone, string Directory, string FileName)
{
    /// <summary>Whether the zone is given by name, and not by the file's being in a directory.</summary>
    public bool IsNamed { get; init; }

    /// <summary>The clients that the zone is answered to; null = everybody.</summary>
    public ClientNetworks? AllowQuery { get; init; }

    /// <summary>With whom the zone is exchanged; null = as the server says.</summary>
    public ZonePolicy? Policy { get; init; }

    /// <summary>The whole path. Allocates.</summary>
    public string Path => System.IO.Path.Join(Directory, FileName);

    /// <summary>A zone with the path of its file.</summary>
    public static ZoneFile At(DomainName zone, string path) =>
        new(zone, System.IO.Path.GetDirectoryName(path) ?? "", System.IO.Path.GetFileName(path));
}
