using System.Diagnostics.Metrics;

namespace Dns.Telemetry.Metrics;

/// <content>What the process takes.</content>
public sealed partial class ServerMeter
{
    private void AddProcess()
    {
        if (_sources.Exceptions is { } exceptions)
            Counter("dnsd_faults_total", "Unexpected exceptions in a loop or timer, which continues.",
                () => exceptions.Counts.Select(one => Of(one.Count, "loop", one.Loop)));
        Gauge("dnsd_build_info", "1, with version and commit.",
            () => [Of(1, "version", ProgramVersion.Text, "commit", ProgramVersion.Commit)]);
        Meter.CreateObservableGauge("process_start_time_seconds", () => ProcessFacts.StartUnixSeconds,
            null, "Start of the process, in seconds since 1970.");
        Meter.CreateObservableCounter("process_cpu_seconds_total", () => Environment.CpuUsage.TotalTime.TotalSeconds,
            null, "Processor time.");
        Gauge("process_resident_memory_bytes", "Resident memory.", () => Environment.WorkingSet);
        Gauge("process_open_fds", "Open file descriptors.", () => Known(ProcessFacts.ReadOpenDescriptors()));
        Gauge("process_max_fds", "The most file descriptors that the process may open.",
            () => Known(ProcessFacts.ReadMaxDescriptors()));
        Gauge("process_threads", "Threads.", () => ProcessFacts.ReadThreads());
        Gauge("dotnet_gc_heap_bytes", "Managed memory in use.", () => GC.GetTotalMemory(forceFullCollection: false));
        Counter("dotnet_gc_collections_total", "Garbage collections.", () => Enumerable.Range(0, GC.MaxGeneration + 1)
            .Select(generation => Of(GC.CollectionCount(generation), "generation", generation.ToString())));
        Meter.CreateObservableCounter("dotnet_gc_pause_seconds_total", () => GC.GetTotalPauseDuration().TotalSeconds,
            null, "Time in which garbage collections paused all threads.");
    }

    /// <summary>A measurement; none if unavailable.</summary>
    private static IEnumerable<Measurement<long>> Known(long? value) => value is { } number ? [new(number)] : [];
}
