namespace Dns.Telemetry;

/// <summary>Runs the turns of loops and timers so that an exception is reported and does not end the process.</summary>
internal static class LoopGuard
{
    /// <summary>Runs one turn.</summary>
    /// <param name="exceptions">Where an exception is reported.</param>
    /// <param name="loop">Whose turn it is.</param>
    /// <param name="turn">What is done.</param>
    /// <returns>False if it threw.</returns>
    public static bool TryRun(this IExceptionSink exceptions, ServerLoop loop, Action turn)
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
    /// <param name="clock">Whose timer it is.</param>
    /// <param name="exceptions">Where an exception is reported.</param>
    /// <param name="loop">The name of the timer.</param>
    /// <param name="turn">The callback.</param>
    /// <param name="due">When it is called first.</param>
    /// <param name="period">After how long it is called again.</param>
    public static ITimer CreateTimer(
        this TimeProvider clock, IExceptionSink exceptions, ServerLoop loop, Action turn, TimeSpan due,
        TimeSpan period) =>
        clock.CreateTimer(_ => exceptions.TryRun(loop, turn), null, due, period);
}
