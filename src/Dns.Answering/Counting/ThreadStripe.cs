namespace Dns.Answering;

/// <summary>Numbers for threads, so that those which count side by side do not wait for each other's cache lines.</summary>
internal static class ThreadStripe
{
    /// <summary>Threads that have a number alone; beyond, two may share one and now and then lose a count.</summary>
    internal const int Count = 128;

    private static int _threads;

    /// <summary>The next number, 0 to 127.</summary>
    internal static int Assign() => (int)((uint)(Interlocked.Increment(ref _threads) - 1) % Count);
}
