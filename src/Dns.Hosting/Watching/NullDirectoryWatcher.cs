namespace Dns.Hosting;

/// <summary>Watches nothing, if unsupported or disabled; only waits.</summary>
internal sealed class NullDirectoryWatcher : IDirectoryWatcher
{
    private readonly AutoResetEvent _wake = new(false);

    /// <inheritdoc/>
    public WatchOutcome Watch(string directory, out string problem)
    {
        problem = "";
        return WatchOutcome.Watched;
    }

    /// <inheritdoc/>
    public void Wait(ICollection<DirectoryChange> changes, TimeSpan timeout) => _wake.WaitOne(timeout);

    /// <inheritdoc/>
    public void Wake() => _wake.Set();

    /// <inheritdoc/>
    public void Dispose() => _wake.Dispose();
}
