using System.Diagnostics;

namespace Dns.Telemetry.Metrics;

/// <summary>Figures of this process from the system.</summary>
public static class ProcessFacts
{
    public static double StartUnixSeconds { get; } = ReadStart();

    public static int ReadThreads()
    {
        using Process process = Process.GetCurrentProcess();
        return process.Threads.Count;
    }

    /// <summary>Open file descriptors, without that of this read; null if unavailable.</summary>
    public static long? ReadOpenDescriptors()
    {
        if (!OperatingSystem.IsLinux()) return null;
        try
        {
            return Directory.EnumerateFileSystemEntries("/proc/self/fd").LongCount() - 1;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The soft limit of descriptors; null if unlimited or unavailable.</summary>
    public static long? ReadMaxDescriptors()
    {
        if (!OperatingSystem.IsLinux()) return null;
        try
        {
            return ParseMaxDescriptors(File.ReadLines("/proc/self/limits"));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The soft limit as <c>/proc/PID/limits</c> shows it; null if it is unlimited or not there.</summary>
    internal static long? ParseMaxDescriptors(IEnumerable<string> lines)
    {
        const string name = "Max open files";
        string? line = lines.FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal));
        string? soft = line?[name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault();
        return long.TryParse(soft, CultureInfo.InvariantCulture, out long limit) ? limit : null;
    }

    private static double ReadStart()
    {
        using Process process = Process.GetCurrentProcess();
        return (process.StartTime.ToUniversalTime() - DateTime.UnixEpoch).TotalSeconds;
    }
}
