namespace Dns.Telemetry.Log;

/// <summary>Rate-limits log lines, and counts suppressed ones. Thread-safe.</summary>
/// <param name="clock">Measures the intervals of 10 seconds.</param>
/// <param name="most">Lines in an interval.</param>
public sealed class BoundedLines(TimeProvider clock, int most = 1)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private long _began;
    private int _taken;
    private long _left;

    /// <summary>Requests a line; <paramref name="more"/> is its end: the number of suppressed ones, or empty.</summary>
    public bool TryTake(out string more)
    {
        lock (_gate)
        {
            more = "";
            if (_taken == 0 || clock.GetElapsedTime(_began) >= Interval) (_began, _taken) = (clock.GetTimestamp(), 0);
            if (_taken == most)
            {
                _left++;
                return false;
            }
            _taken++;
            if (_left > 0) more = $", and {_left:N0} more since the line before";
            _left = 0;
            return true;
        }
    }
}
