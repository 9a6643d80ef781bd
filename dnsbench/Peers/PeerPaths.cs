using Dns.Testing;

namespace Dns.Bench;

/// <summary>What both comparisons share: which servers take part, and free ports.</summary>
internal static class PeerPaths
{
    private static readonly List<PortLease> Leases = [];

    /// <summary>Reads "knotd=PATH,nsd=PATH".</summary>
    internal static Dictionary<string, string> Parse(string[] pairs) =>
        pairs.Select(pair => pair.Split('=', 2)).ToDictionary(
        pair => PeerTable.Find(pair[0]).Name,
        pair => pair.Length == 2 && File.Exists(pair[1]) ? Path.GetFullPath(pair[1])
            : throw new UsageException("--paths wants NAME=EXISTING-FILE"));

    /// <summary>The servers asked for that are here; says which are not.</summary>
    internal static List<(Peer Peer, string Path)> Installed(OptionValues options)
    {
        Dictionary<string, string> paths = Parse(options.List("paths"));
        List<(Peer, string)> found = [];
        foreach (Peer peer in options.List("servers").Select(PeerTable.Find))
        {
            if (peer.Find(paths) is { } path) found.Add((peer, path));
            else Console.Error.WriteLine($"{peer.Name} is not here and left out");
        }
        return found;
    }

    /// <summary>A port that is free for UDP and TCP, and kept for this process.</summary>
    internal static int FreePort()
    {
        PortLease lease = PortLease.Take();
        Leases.Add(lease);
        return lease.Port;
    }
}
