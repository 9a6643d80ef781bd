using Dns.Protocol;
using Dns.Providers;

namespace Dns.Server;

/// <summary>
/// Looks at all zone files from time to time. A file is taken when it has stood still for one interval, since no event says
/// when its writer is done; and one that is gone, when it is still gone after one.
/// </summary>
/// <remarks>For one thread.</remarks>
internal sealed class ZonePolling(ZoneReloader reloading, TimeProvider clock, Action<Task> follow)
{
    private Dictionary<DomainName, ulong> _before = [], _now = [];
    private long _looked = clock.GetTimestamp();

    /// <summary>Looks, if it is time.</summary>
    public void Step(TimeSpan interval, CancellationToken cancellation)
    {
        if (clock.GetElapsedTime(_looked) < interval) return;
        _looked = clock.GetTimestamp();
        // Compared now, and read meanwhile: no zone waits for the largest of them.
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
