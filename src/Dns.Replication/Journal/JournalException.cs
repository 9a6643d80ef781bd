namespace Dns.Replication.Journal;

/// <summary>Why a journal is unusable, apart from errors of the file system.</summary>
public enum JournalFault
{
    /// <summary>The file is not a journal, or one of another version or zone.</summary>
    Foreign,

    /// <summary>The change would exceed the maximum size.</summary>
    Full,

    /// <summary>Another process has changed the file.</summary>
    Changed,

    /// <summary>An entry that was readable at opening is damaged.</summary>
    Damaged,
}

/// <summary>An unusable journal. The message has the file, what was found and what to do.</summary>
public sealed class JournalException(JournalFault fault, string message) : IOException(message)
{
    /// <summary>The kind.</summary>
    public JournalFault Fault { get; } = fault;
}
