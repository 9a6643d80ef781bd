using System.Runtime;

namespace Dns.Bench;

/// <summary>An operation whose instructions are counted.</summary>
/// <param name="Name">Its name in the record.</param>
/// <param name="Run">Runs it <paramref name="Operations"/> times.</param>
/// <param name="Operations">How often: enough to amortise the counting, but few, because stepping takes
/// microseconds.</param>
/// <param name="Own">The benchmark's own part, which is subtracted; null for none.</param>
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

    /// <summary>Runs until all code is compiled.</summary>
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
