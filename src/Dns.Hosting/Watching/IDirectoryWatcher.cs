namespace Dns.Hosting.Watching;

/// <summary>The kind of an event in a watched directory.</summary>
public enum DirectoryChangeKind : byte
{
    /// <summary>A file was written and closed, or renamed into place.</summary>
    Written,

    /// <summary>A file was moved away or deleted.</summary>
    Vanished,

    /// <summary>An entry was created that may never be written: a link, a directory.</summary>
    Appeared,

    /// <summary>The directory itself was moved or deleted, and is no longer watched.</summary>
    DirectoryGone,

    /// <summary>Events were lost.</summary>
    Overflow,
}

/// <summary>An event in a watched directory.</summary>
public readonly record struct DirectoryChange(DirectoryChangeKind Kind, string Directory, string FileName);

/// <summary>The result of watching a directory.</summary>
public enum WatchOutcome : byte
{
    Watched,

    /// <summary>It is watched, and is another directory than before: events of it may have been missed.</summary>
    Replaced,

    /// <summary>It does not exist, or is not readable.</summary>
    NotThere,

    /// <summary>The system's limit of watches is reached.</summary>
    OutOfWatches,
}

/// <summary>Reports events of directories. One thread waits; any may wake it.</summary>
public interface IDirectoryWatcher : IDisposable
{
    /// <summary>Watches a directory; idempotent. Again, it watches what a symlink leads to now.</summary>
    WatchOutcome Watch(string directory, out string problem);

    /// <summary>Waits for an event, a timeout, or a wake-up.</summary>
    /// <param name="changes">Receives the events.</param>
    /// <param name="timeout">The timeout; may be infinite.</param>
    void Wait(ICollection<DirectoryChange> changes, TimeSpan timeout);

    /// <summary>Ends the current or else the next wait of another thread.</summary>
    void Wake();
}
