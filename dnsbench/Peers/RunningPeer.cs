using System.Diagnostics;

namespace Dns.Bench;

/// <summary>A running server of the comparison, with its figures.</summary>
internal sealed class RunningPeer : IDisposable
{
    private const double StartSeconds = 120;
    private readonly ServerProcess _process;

    private RunningPeer(ServerProcess process, string version, double loadSeconds) =>
        (_process, Version, LoadSeconds) = (process, version, loadSeconds);

    internal string Name => _process.Name;

    internal string Version { get; }

    /// <summary>From the start of the process to its first answer.</summary>
    internal double LoadSeconds { get; }

    internal System.Net.IPEndPoint EndPoint => _process.EndPoint;

    internal List<int> Members => _process.Members;

    internal static RunningPeer Start(Peer peer, string path, PeerSetup setup)
    {
        ServerProcess process = new(peer, path, setup);
        try
        {
            double seconds = process.WaitReady(setup.Zones.Select(zone => zone.Name), StartSeconds);
            Console.Error.WriteLine($"{peer.Name} is up after {seconds:F2} s");
            return new RunningPeer(process, peer.Version(path), seconds);
        }
        catch
        {
            process.Dispose();
            throw;
        }
    }

    /// <summary>One load, with the processor time of the server and of all other processes.</summary>
    internal Leg RunLeg(LoadPlan plan)
    {
        List<int> members = Members;
        double machineBefore = ProcessTree.MachineSeconds();
        TimeSpan ownBefore = Process.GetCurrentProcess().TotalProcessorTime;
        long began = Stopwatch.GetTimestamp();
        long cpuBefore = ProcessTree.CpuNanoseconds(members);
        LoadResult load = Load.Run(plan with { Server = EndPoint });
        long cpu = ProcessTree.CpuNanoseconds(members) - cpuBefore;
        double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        double own = (Process.GetCurrentProcess().TotalProcessorTime - ownBefore).TotalSeconds;
        double foreign = ProcessTree.MachineSeconds() - machineBefore - own - cpu / 1e9;
        return new Leg(load, cpu, Math.Max(0, foreign / seconds));
    }

    /// <summary>User instructions of the server for a query, by perf; NaN where they cannot be counted.</summary>
    internal double Instructions(LoadPlan plan)
    {
        ProcessStartInfo start = new("perf",
            ["stat", "-x", ",", "-e", "instructions:u", "-p", string.Join(',', Members), "--", "sleep",
                $"{plan.Seconds}"])
        {
            RedirectStandardError = true,
        };
        using Process perf = Process.Start(start)!;
        // Longer than perf counts, so that it sees nothing but load; the overall rate gives the queries of its part.
        LoadResult load = Load.Run(plan with { Server = EndPoint, Seconds = plan.Seconds * 1.5 });
        string output = perf.StandardError.ReadToEnd();
        perf.WaitForExit();
        string? line = output.Split('\n')
            .FirstOrDefault(text => text.Contains("instructions", StringComparison.Ordinal));
        return line is not null && double.TryParse(line.Split(',')[0], out double count)
            ? count / (load.PerSecond * plan.Seconds) : double.NaN;
    }

    public void Dispose() => _process.Dispose();
}

/// <summary>One part of a triple.</summary>
/// <param name="Load">The generator's result.</param>
/// <param name="CpuNanoseconds">Processor time of the server.</param>
/// <param name="Foreign">Processor time used by other processes, in processors.</param>
internal sealed record Leg(LoadResult Load, long CpuNanoseconds, double Foreign)
{
    /// <summary>Nanoseconds of the server for an answered query.</summary>
    internal double PerAnswer => Load.Answered == 0 ? double.NaN : (double)CpuNanoseconds / Load.Answered;
}
