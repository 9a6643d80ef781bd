namespace Dns.Hosting;

/// <summary>Watches nothing: where the system cannot, and where the operator does not want it. Waits all the same.</summary>
internal sealed class NoWatch : IDirectoryWatch
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
