using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Perfolizer.Horology;

namespace Dns.Bench;

/// <summary>
/// The default configuration of benchmarks: in this process, so that nothing is built again, and short, so that a phase
/// takes minutes. The warm-up is longer than a second: the second tier of the JIT takes that long, and longer on a busy
/// core.
/// </summary>
internal sealed class BenchConfiguration : ManualConfig
{
    private const int IterationMs = 150;

    internal BenchConfiguration(bool hasJob)
    {
        if (!hasJob)
        {
            AddJob(Job.Default
                .WithToolchain(new InProcessEmitToolchain(TimeSpan.FromHours(1), logOutput: false))
                .WithIterationTime(TimeInterval.FromMilliseconds(IterationMs))
                .WithWarmupCount(8)
                .WithIterationCount(8)
                .WithId("short"));
        }
        AddDiagnoser(MemoryDiagnoser.Default);
        AddColumnProvider(DefaultColumnProviders.Instance);
        AddExporter(MarkdownExporter.GitHub);
        AddLogger(ConsoleLogger.Default);
        WithOptions(ConfigOptions.JoinSummary | ConfigOptions.DisableLogFile);
    }
}
