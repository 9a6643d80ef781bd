namespace Dns.Reloading.Watching;

/// <summary>
/// Debounces directory events: written files are due shortly after the last of a burst, vanished ones after a delay in
/// which an editor may rename the new file into place.
/// </summary>
/// <remarks>For one thread. Times are timestamps of the clock.</remarks>
public sealed class PendingChanges(TimeProvider clock)
{
    /// <summary>The pause that ends a burst.</summary>
    internal static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    /// <summary>The maximum length of a burst.</summary>
    internal static readonly TimeSpan LongestBurst = TimeSpan.FromMilliseconds(200);

    /// <summary>How long a file may be missing.</summary>
    internal static readonly TimeSpan Grace = TimeSpan.FromSeconds(1);

    /// <summary>The delay of the next listing, as a multiple of the time of the last one.</summary>
    private const int RestFactor = 10;

    private readonly HashSet<(string Directory, string FileName)> _written = [], _vanished = [];
    private long? _firstWritten, _lastWritten, _lastVanished, _listAt;
    private long _notBefore = long.MinValue;
    private bool _isThorough;

    public void AddWritten(string directory, string fileName)
    {
        long now = clock.GetTimestamp();
        _written.Add((directory, fileName));
        _vanished.Remove((directory, fileName));
        _firstWritten ??= now;
        _lastWritten = now;
    }

    public void AddVanished(string directory, string fileName)
    {
        _vanished.Add((directory, fileName));
        _lastVanished = clock.GetTimestamp();
    }

    /// <summary>Requests a listing of the directories: soon, but rate-limited.</summary>
    /// <param name="isThorough">Whether files may have changed without an event.</param>
    public void RequestScan(bool isThorough)
    {
        _isThorough |= isThorough;
        long soon = After(clock.GetTimestamp(), Pause);
        _listAt ??= Math.Max(soon, _notBefore);
    }

    /// <summary>The time until something is due; infinite if nothing is pending.</summary>
    public TimeSpan Rest
    {
        get
        {
            long due = Math.Min(Math.Min(WrittenDue, VanishedDue), _listAt ?? long.MaxValue);
            if (due == long.MaxValue) return Timeout.InfiniteTimeSpan;
            TimeSpan rest = clock.GetElapsedTime(clock.GetTimestamp(), due);
            return rest < TimeSpan.Zero ? TimeSpan.Zero : rest;
        }
    }

    /// <summary>The written files that are due.</summary>
    public IReadOnlyCollection<(string Directory, string FileName)> TakeWritten()
    {
        if (clock.GetTimestamp() < WrittenDue) return [];
        _firstWritten = _lastWritten = null;
        return Take(_written);
    }

    /// <summary>The vanished files that are due.</summary>
    public IReadOnlyCollection<(string Directory, string FileName)> TakeVanished()
    {
        if (clock.GetTimestamp() < VanishedDue) return [];
        _lastVanished = null;
        return Take(_vanished);
    }

    /// <summary>Whether a listing of the directories is due.</summary>
    public bool TakeScan(out bool isThorough)
    {
        isThorough = _isThorough;
        if (_listAt is null || clock.GetTimestamp() < _listAt) return false;
        _listAt = null;
        _isThorough = false;
        return true;
    }

    /// <summary>Sets the duration of the listing.</summary>
    public void OnListed(TimeSpan time) => _notBefore = After(clock.GetTimestamp(), time * RestFactor);

    private long WrittenDue => _lastWritten is null
        ? long.MaxValue : Math.Min(After(_lastWritten.Value, Pause), After(_firstWritten!.Value, LongestBurst));

    private long VanishedDue => _lastVanished is null ? long.MaxValue : After(_lastVanished.Value, Grace);

    private long After(long timestamp, TimeSpan time) =>
        timestamp + (long)(time.TotalSeconds * clock.TimestampFrequency);

    private static IReadOnlyCollection<(string, string)> Take(HashSet<(string, string)> files)
    {
        (string, string)[] taken = [.. files];
        files.Clear();
        return taken;
    }
}
