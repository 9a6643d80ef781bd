namespace Dns.Providers.MasterFile;

/// <summary>A zone and its master file. Files of one directory share a string, since there can be 100,000.</summary>
public readonly record struct ZoneFile(DomainName Zone, string Directory, string FileName)
{
    /// <summary>Whether the zone is configured by name, and not found in a directory.</summary>
    public bool IsNamed { get; init; }

    /// <summary>The clients that may query the zone; null = all.</summary>
    public ClientNetworks? AllowQuery { get; init; }

    /// <summary>The policy of transfers, notifications and updates; null = the server's.</summary>
    public ZonePolicy? Policy { get; init; }

    /// <summary>The whole path. Allocates.</summary>
    public string Path => System.IO.Path.Join(Directory, FileName);

    /// <summary>A zone with the path of its file.</summary>
    public static ZoneFile At(DomainName zone, string path) =>
        new(zone, System.IO.Path.GetDirectoryName(path) ?? "", System.IO.Path.GetFileName(path));
}
