using System.Net;
using System.Net.Sockets;

namespace Dns.Bench;

/// <summary>What both comparisons share: which servers take part, and free ports.</summary>
internal static class PeerPaths
{
    /// <summary>Reads "knotd=PATH,nsd=PATH".</summary>
    internal static Dictionary<string, string> Parse(string[] pairs) => pairs.Select(pair => pair.Split('=', 2)).ToDictionary(
        pair => PeerTable.Find(pair[0]).Name,
        pair => pair.Length == 2 && File.Exists(pair[1]) ? pair[1] : throw new UsageException("--paths wants NAME=EXISTING-FILE"));

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

    /// <summary>A port that is free for UDP and TCP on loopback.</summary>
    internal static int FreePort()
    {
        while (true)
        {
            using TcpListener tcp = new(IPAddress.Loopback, 0);
            tcp.Start();
            int port = ((IPEndPoint)tcp.LocalEndpoint).Port;
            using Socket udp = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            try
            {
                udp.Bind(new IPEndPoint(IPAddress.Loopback, port));
                return port;
            }
            catch (SocketException error) when (error.SocketErrorCode == SocketError.AddressAlreadyInUse)
            {
                // Taken for UDP only; another port then.
            }
        }
    }
}
