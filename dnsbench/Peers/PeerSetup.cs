namespace Dns.Bench;

/// <summary>The configuration of a server: zones, address, processors.</summary>
/// <param name="Folder">A folder of its own for settings and state.</param>
/// <param name="Port">The port on 127.0.0.1.</param>
/// <param name="Processors">A list for taskset; empty for all.</param>
/// <param name="Threads">Threads that answer.</param>
/// <param name="Zones">Zones and their master files.</param>
/// <param name="UpstreamPort">Where on 127.0.0.1 a forwarder asks for them.</param>
internal sealed record PeerSetup(
    string Folder, int Port, string Processors, int Threads, IReadOnlyList<(string Name, string File)> Zones,
    int UpstreamPort = 0)
{
    /// <summary>Whether the zones can be transferred, from this machine.</summary>
    internal bool GivesZones { get; init; }

    /// <summary>Writes a file into the folder and returns its path.</summary>
    internal string Write(string name, string text)
    {
        string file = Path.Combine(Folder, name);
        File.WriteAllText(file, text);
        return file;
    }

    /// <summary>Some text for each zone, one after the other.</summary>
    internal string EachZone(Func<string, string, string> text) =>
        string.Concat(Zones.Select(zone => text(zone.Name, zone.File)));
}

/// <summary>A command with its arguments and environment.</summary>
internal sealed record PeerCommand(string Program, string[] Arguments,
    params (string Name, string Value)[] Environment);
