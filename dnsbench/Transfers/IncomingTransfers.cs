using System.Diagnostics;
using System.Net;

namespace Dns.Bench;

/// <summary>Repeated starts of a server as secondary of ours, without a copy of the zone, and their cost.</summary>
internal sealed class IncomingTransfers(Peer peer, string path)
{
    internal string Name => peer.Name;

    internal string Version => peer.Version(path);

    /// <summary>Seconds from the first octet of the transfer to the first answer with data.</summary>
    internal Spread Wall { get; } = new();

    /// <summary>Seconds from the start of the process to the first answer with data.</summary>
    internal Spread FromStart { get; } = new();

    /// <summary>Seconds of processor time from the start of the process to the first answer with data.</summary>
    internal Spread Cpu { get; } = new();

    /// <summary>The same some time later, including disk writes after the zone is served.</summary>
    internal Spread CpuAfter { get; } = new();

    /// <summary>Bytes of memory (PSS) at the first answer with data.</summary>
    internal Spread Bytes { get; } = new();

    /// <summary>The same some time later.</summary>
    internal Spread BytesAfter { get; } = new();

    /// <summary>Starts the secondary, waits until it serves the zone, and ends it.</summary>
    /// <param name="setup">A folder and a port of its own.</param>
    /// <param name="primary">Where the primary is.</param>
    /// <param name="limit">Seconds after which the start has failed.</param>
    /// <param name="settle">Seconds after which memory is read again.</param>
    /// <param name="records">The expected records of a transfer out of it; 0 = not transferred out.</param>
    internal void Run(PeerSetup setup, IPEndPoint primary, double limit, double settle, long records)
    {
        int port = PeerPaths.FreePort();
        using TransferRelay relay = new(port, primary);
        using ServerProcess process = new(SecondaryTable.Of(peer, port), path, setup);
        double fromStart = process.WaitReady([setup.Zones[0].Name], limit);
        double wall = Stopwatch.GetElapsedTime(relay.FirstOctet).TotalSeconds;
        // A process that has ended is in no list: those that nsd replaces after loading a zone had none.
        List<int> members = process.Members;
        double cpu = ProcessTree.CpuNanoseconds(members) / 1e9;
        long bytes = ProcessTree.PssBytes(members);
        if (relay.FirstOctet == 0) throw new InvalidDataException($"{Name} serves a zone that it did not transfer");
        // The measured time after serving: disk writes and memory then.
        Thread.Sleep(TimeSpan.FromSeconds(settle));
        members = process.Members;
        Console.Error.WriteLine($"{Name}: {wall:F3} s, {cpu:F3} s of processor time, {bytes / 1e6:F0} MB");
        Wall.Add(wall);
        FromStart.Add(fromStart);
        Cpu.Add(cpu);
        CpuAfter.Add(ProcessTree.CpuNanoseconds(members) / 1e9);
        Bytes.Add(bytes);
        BytesAfter.Add(ProcessTree.PssBytes(members));
        if (records > 0 && TransferSink.Run(process.EndPoint, setup.Zones[0].Name).Records is var sent &&
            sent != records)
            throw new InvalidDataException($"{Name} has {sent} records, expected {records}");
    }
}
