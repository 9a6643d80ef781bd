namespace Dns.Telemetry.Metrics;

/// <summary>Runs the turns of loops and timers so that an exception is reported and does not end the process.</summary>
public static class LoopGuard
{
    /// <summary>Runs one turn; false if it threw.</summary>
    public static bool TryRun(this IExceptionSink exceptions, string loop, Action turn)
    {
        try
        {
            turn();
            return true;
        }
        catch (Exception error)
        {
            exceptions.Report(loop, error, default);
            return false;
        }
    }

    /// <summary>A timer whose callback may throw: an exception is reported, and the timer continues.</summary>
    public static ITimer CreateTimer(
        this TimeProvider clock, IExceptionSink exceptions, string loop, Action turn, TimeSpan due,
        TimeSpan period) =>
        clock.CreateTimer(_ => exceptions.TryRun(loop, turn), null, due, period);
}
