using System.Diagnostics;

namespace Dns.Server;

/// <summary>What the system knows of this process.</summary>
internal static class ProcessFacts
{
    /// <summary>When it began, in seconds since 1970.</summary>
    public static double StartUnixSeconds { get; } = ReadStart();

    /// <summary>Its threads at the moment.</summary>
    public static int ReadThreads()
    {
        using Process process = Process.GetCurrentProcess();
        return process.Threads.Count;
    }

    private static double ReadStart()
    {
        using Process process = Process.GetCurrentProcess();
        return (process.StartTime.ToUniversalTime() - DateTime.UnixEpoch).TotalSeconds;
    }
}
