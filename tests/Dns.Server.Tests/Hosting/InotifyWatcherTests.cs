using System.Runtime.Versioning;
using Dns.Testing;

namespace Dns.Server.Tests.Hosting;

[SupportedOSPlatform("linux")]
public sealed class InotifyWatcherTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-inotify-").FullName;
    private readonly InotifyWatcher _watcher;

    public InotifyWatcherTests()
    {
        _watcher = InotifyWatcher.TryCreate(out string problem) ?? throw new IOException(problem);
        foreach (string directory in (string[])["r1", "r2"]) Directory.CreateDirectory(PathOf(directory));
        Directory.CreateSymbolicLink(PathOf("current"), "r1");
    }

    public void Dispose()
    {
        _watcher.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [LinuxFact]
    public void A_symlink_that_leads_elsewhere_is_watched_there()
    {
        Assert.Equal(WatchOutcome.Watched, Watch("current"));
        Assert.Equal(WatchOutcome.Watched, Watch("current"));
        Assert.Equal(["current/a"], Changes("r1/a"));
        Turn();
        Assert.Equal(WatchOutcome.Replaced, Watch("current"));
        Assert.Equal(WatchOutcome.Watched, Watch("current"));
        // The watch of r1 is removed.
        Assert.Equal(["current/c"], Changes("r1/b", "r2/c"));
    }

    [LinuxFact]
    public void The_other_names_of_the_directory_before_are_still_watched()
    {
        Assert.Equal([WatchOutcome.Watched, WatchOutcome.Watched], [Watch("current"), Watch("r1")]);
        Assert.Equal(["current/a", "r1/a"], Changes("r1/a"));
        Turn();
        Assert.Equal([WatchOutcome.Replaced, WatchOutcome.Watched], [Watch("current"), Watch("r1")]);
        Assert.Equal(["r1/b", "current/c"], Changes("r1/b", "r2/c"));
    }

    private string PathOf(string name) => Path.Combine(_folder, name);

    private WatchOutcome Watch(string directory) => _watcher.Watch(PathOf(directory), out _);

    private void Turn()
    {
        File.Delete(PathOf("current"));
        Directory.CreateSymbolicLink(PathOf("current"), "r2");
    }

    /// <summary>Writes files; the events that follow, by directory and file.</summary>
    private string[] Changes(params string[] files)
    {
        foreach (string file in files) File.WriteAllText(PathOf(file), "");
        List<DirectoryChange> changes = [];
        _watcher.Wait(changes, TimeSpan.Zero);
        return
        [
            .. changes.Where(change => change.Kind == DirectoryChangeKind.Written)
                .Select(change => $"{Path.GetFileName(change.Directory)}/{change.FileName}"),
        ];
    }
}
