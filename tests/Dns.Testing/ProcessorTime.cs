using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Dns.Testing;

/// <summary>
/// Time that the processor spent on the calling thread. Unlike time that has passed, it does not grow while other
/// programs run.
/// </summary>
public static class ProcessorTime
{
    private const int ThreadClock = 3;

    /// <summary>What an action takes on this thread; elsewhere than on Linux, the time that passes.</summary>
    public static TimeSpan Of(Action action)
    {
        if (!OperatingSystem.IsLinux())
        {
            long start = Stopwatch.GetTimestamp();
            action();
            return Stopwatch.GetElapsedTime(start);
        }

        TimeSpan before = Now();
        action();
        return Now() - before;
    }

    private static TimeSpan Now()
    {
        if (Read(ThreadClock, out Time time) != 0)
            throw new InvalidOperationException("the clock of the thread cannot be read");
        return TimeSpan.FromTicks((long)time.Seconds * TimeSpan.TicksPerSecond + time.Nanoseconds / 100);
    }

    /// <summary>struct timespec of 64-bit Linux.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct Time
    {
        public nint Seconds;
        public nint Nanoseconds;
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    private static extern int Read(int clock, out Time time);
}
