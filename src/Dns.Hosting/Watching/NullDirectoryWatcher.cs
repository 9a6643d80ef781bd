namespace Dns.Hosting.Watching;

/// <summary>Watches nothing, if unsupported or disabled; only waits.</summary>
public sealed class NullDirectoryWatcher : IDirectoryWatcher
{
    private readonly AutoResetEvent _wake = new(false);

    public WatchOutcome Watch(string directory, out string problem)
    {
        problem = "";
        return WatchOutcome.Watched;
    }

    public void Wait(ICollection<DirectoryChange> changes, TimeSpan timeout) => _wake.WaitOne(timeout);

    public void Wake() => _wake.Set();

    public void Dispose() => _wake.Dispose();
}
