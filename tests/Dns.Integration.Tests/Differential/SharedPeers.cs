namespace Dns.Integration.Tests;

/// <summary>Our program and all others, started once for each set of zones, for all tests of a class.</summary>
public sealed class SharedPeers : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("dnsd-peers-");
    private readonly List<Served> _served = [];
    private readonly List<PeerServer> _servers = [];

    /// <summary>The servers of some zones; they are started for the first test that has these zones.</summary>
    /// <param name="zones">Apexes and texts of the zones.</param>
    internal Served Serve(IReadOnlyList<(string Apex, string Text)> zones)
    {
        if (_served.Find(one => one.Zones.SequenceEqual(zones)) is { } known) return known;
        DirectoryInfo folder = _root.CreateSubdirectory($"{_served.Count}");
        foreach ((string apex, string text) in zones)
            File.WriteAllText(Path.Combine(folder.FullName, apex + ".zone"), text);
        Served served = new(zones, Start(PeerKind.Ours), [.. PeerKind.All.Select(Start)]);
        _served.Add(served);
        return served;

        PeerServer Start(PeerKind kind)
        {
            PeerServer server = new(kind, folder.FullName, [.. zones.Select(zone => zone.Apex)]);
            _servers.Add(server);
            return server;
        }
    }

    public void Dispose()
    {
        foreach (PeerServer server in _servers) server.Dispose();
        _root.Delete(recursive: true);
    }

    /// <summary>Servers of the same zones.</summary>
    internal sealed record Served(
        IReadOnlyList<(string Apex, string Text)> Zones, PeerServer Ours, IReadOnlyList<PeerServer> Peers);
}
