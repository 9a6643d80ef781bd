using System.Net;

namespace Dns.Bench;

/// <summary>A server of the comparison of transfers, with the cost of its transfers.</summary>
internal sealed class RunningTransfers : IDisposable
{
    private readonly ServerProcess _process;
    private readonly string _zone;

    private RunningTransfers(ServerProcess process, string zone) => (_process, _zone) = (process, zone);

    internal string Name => _process.Name;

    /// <summary>Seconds from the query to the last octet.</summary>
    internal Spread Wall { get; } = new();

    /// <summary>Seconds of processor time of the server meanwhile.</summary>
    internal Spread Cpu { get; } = new();

    internal IPEndPoint EndPoint => _process.EndPoint;

    internal long Octets { get; private set; }

    internal long Messages { get; private set; }

    /// <summary>Bytes of memory (PSS) after the last transfer.</summary>
    internal long Bytes { get; private set; }

    internal static RunningTransfers Start(Peer peer, string path, PeerSetup setup, double limit)
    {
        ServerProcess process = new(peer, path, setup);
        try
        {
            double seconds = process.WaitReady(setup.Zones.Select(zone => zone.Name), limit);
            Console.Error.WriteLine($"{peer.Name} is up after {seconds:F2} s");
            return new RunningTransfers(process, setup.Zones[0].Name);
        }
        catch
        {
            process.Dispose();
            throw;
        }
    }

    /// <summary>Transfers the zone once.</summary>
    /// <param name="records">The expected number of records.</param>
    /// <param name="isCounted">False for a warm-up.</param>
    internal void Transfer(long records, bool isCounted)
    {
        List<int> members = _process.Members;
        long before = ProcessTree.CpuNanoseconds(members);
        TransferSink sink = TransferSink.Run(_process.EndPoint, _zone);
        // A process forked for the transfer that has ended is in no list: none of these servers forks one.
        double cpu = (ProcessTree.CpuNanoseconds(members) - before) / 1e9;
        if (sink.Records != records)
            throw new InvalidDataException($"{Name} sent {sink.Records} records, expected {records}");
        Bytes = ProcessTree.PssBytes(members);
        (Octets, Messages) = (sink.Octets, sink.Messages);
        Console.Error.WriteLine($"{Name}: {sink.Seconds:F3} s, {cpu:F3} s of processor time");
        if (!isCounted) return;
        Wall.Add(sink.Seconds);
        Cpu.Add(cpu);
    }

    public void Dispose() => _process.Dispose();
}
