namespace Dns.Hosting;

/// <summary>What has happened in a directory that is watched.</summary>
internal enum DirectoryChangeKind : byte
{
    /// <summary>A file was written and closed, or moved to its place.</summary>
    Written,

    /// <summary>A file was moved away or deleted.</summary>
    Vanished,

    /// <summary>An entry was made that perhaps nothing will be written to: a link, a directory.</summary>
    Appeared,

    /// <summary>The directory itself was moved or deleted, and is watched no more.</summary>
    DirectoryGone,

    /// <summary>More has happened than could be told.</summary>
    Overflow,
}

/// <summary>One thing that has happened.</summary>
internal readonly record struct DirectoryChange(DirectoryChangeKind Kind, string Directory, string FileName);

/// <summary>What came of the wish to watch a directory.</summary>
internal enum WatchOutcome : byte
{
    /// <summary>It is watched.</summary>
    Watched,

    /// <summary>It is not there, or may not be read.</summary>
    NotThere,

    /// <summary>The system watches as many as it may.</summary>
    OutOfWatches,
}

/// <summary>Reports events of directories. One thread waits; any may wake it.</summary>
internal interface IDirectoryWatch : IDisposable
{
    /// <summary>Watches a directory; nothing happens if it is watched already.</summary>
    WatchOutcome Watch(string directory, out string problem);

    /// <summary>Waits until something has happened, for a time at most, or until woken.</summary>
    /// <param name="changes">Receives what has happened.</param>
    /// <param name="timeout">How long; infinite is allowed.</param>
    void Wait(ICollection<DirectoryChange> changes, TimeSpan timeout);

    /// <summary>Ends the wait of another thread, or else the next wait, at once.</summary>
    void Wake();
}
