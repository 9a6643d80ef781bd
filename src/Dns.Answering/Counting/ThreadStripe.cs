namespace Dns.Answering;

/// <summary>A number for the thread that asks, so that threads which count side by side do not wait for each other's cache lines.</summary>
internal static class ThreadStripe
{
    /// <summary>Threads that have a number alone; beyond, two may share one and now and then lose a count.</summary>
    internal const int Count = 128;

    private static int _threads;

    // One more than the number: 0 stands for a thread without one.
    [ThreadStatic]
    private static int _assigned;

    /// <summary>The number, 0 to 127.</summary>
    internal static int Current => (_assigned > 0 ? _assigned : Assign()) - 1;

    private static int Assign() => _assigned = 1 + (int)((uint)(Interlocked.Increment(ref _threads) - 1) % Count);
}
