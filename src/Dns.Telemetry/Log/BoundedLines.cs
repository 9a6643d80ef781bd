namespace Dns.Telemetry.Log;

/// <summary>Rate-limits log lines, and counts suppressed ones. Thread-safe.</summary>
internal sealed class BoundedLines(TimeProvider clock)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private long _last;
    private long _left;
    private bool _hasLogged;

    /// <summary>Requests a line; <paramref name="more"/> is its end: the number of suppressed ones, or empty.</summary>
    public bool TryTake(out string more)
    {
        lock (_gate)
        {
            bool isTaken = !_hasLogged || clock.GetElapsedTime(_last) >= Interval;
            more = isTaken && _left > 0 ? $", and {_left:N0} more since the line before" : "";
            if (isTaken) (_hasLogged, _last, _left) = (true, clock.GetTimestamp(), 0);
            else _left++;
            return isTaken;
        }
    }
}
