namespace Dns.Providers.Tests;

/// <summary>A folder with zone files for one test.</summary>
public sealed class ZoneTree : IDisposable
{
    public const string Good = "@ 60 SOA ns.x. h.x. 1 2 3 4 5\n@ 60 NS ns.x.\n";

    public string Root { get; } = Directory.CreateTempSubdirectory("dns-provider").FullName;

    public void Dispose() => Directory.Delete(Root, recursive: true);

    /// <summary>Writes <c>ZONE.zone</c>.</summary>
    public ZoneFile Add(string zone, string text = Good)
    {
        File.WriteAllText(Path.Combine(Root, zone + ".zone"), text);
        return Missing(zone);
    }

    public ZoneFile Missing(string zone) => new(DomainName.Parse(zone), Root, zone + ".zone");
}
