namespace Dns.Reloading.Watching;

/// <summary>
/// Polls all zone files. A changed file is read when it was stable for one interval, since no event marks the end of
/// writing; a missing one is reported when it is still missing after one.
/// </summary>
/// <remarks>For one thread.</remarks>
public sealed class ZonePolling(ZoneReloader reloading, TimeProvider clock, Action<Task> follow)
{
    private Dictionary<DomainName, ulong> _before = [], _now = [];
    private long _looked = clock.GetTimestamp();

    /// <summary>Polls, if due.</summary>
    public void Step(TimeSpan interval, CancellationToken cancellation)
    {
        if (clock.GetElapsedTime(_looked) < interval) return;
        _looked = clock.GetTimestamp();
        // Compared now, and read in the background, so that no zone waits for the largest one.
        follow(reloading.ListDirectoriesAsync(new ZoneUpdate { IsSettled = IsSettled }, cancellation));
        (_before, _now) = (_now, _before);
        _now.Clear();
    }

    private bool IsSettled(DomainName zone, ulong stamp)
    {
        _now[zone] = stamp;
        return _before.TryGetValue(zone, out ulong before) && before == stamp;
    }
}
