namespace Dns.Testing;

/// <summary>What code allocates on the thread that runs it.</summary>
public static class AllocatedOctets
{
    private const int Runs = 10;

    /// <summary>
    /// The least that one of several runs allocates. What the code itself allocates shows in each; what the runtime
    /// does meanwhile does not: a collection that another thread starts counts the unused room of this one, and a type
    /// may be loaded once, on whatever thread needs it.
    /// </summary>
    /// <param name="run">What is measured.</param>
    /// <param name="prepare">
    /// Runs before each, and is not measured: where only a first run would allocate, it makes each the first.
    /// </param>
    public static long Least(Action run, Action? prepare = null)
    {
        long least = long.MaxValue;
        for (int i = 0; i < Runs && least > 0; i++)
        {
            prepare?.Invoke();
            long before = GC.GetAllocatedBytesForCurrentThread();
            run();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }
        return least;
    }
}
