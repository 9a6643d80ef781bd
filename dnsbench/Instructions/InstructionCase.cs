using System.Runtime;

namespace Dns.Bench;

/// <summary>Something whose instructions are counted.</summary>
/// <param name="Name">Its name in the record.</param>
/// <param name="Run">Does it <paramref name="Operations"/> times.</param>
/// <param name="Operations">How often: enough that counting itself does not weigh, and few, because stepping takes microseconds.</param>
/// <param name="Own">What of it is the benchmark's own and is taken off; null for nothing worth it.</param>
internal sealed record InstructionCase(string Name, Action Run, int Operations, Action? Own = null)
{
    /// <summary>Instructions for one operation.</summary>
    internal double Measure(IInstructionCounter counter)
    {
        Action own = Own ?? Nothing;
        WarmUp(own);
        long whole = counter.Count(Run), taken = counter.Count(own);
        return Math.Round((whole - taken) / (double)Operations, 1);
    }

    private static void Nothing()
    {
    }

    /// <summary>Until all code is compiled that is run.</summary>
    private void WarmUp(Action own)
    {
        long before;
        do
        {
            before = JitInfo.GetCompiledMethodCount();
            Run();
            own();
        }
        while (JitInfo.GetCompiledMethodCount() != before);
    }
}
