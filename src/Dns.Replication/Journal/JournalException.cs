namespace Dns.Replication;

/// <summary>Why a journal cannot be used, beside what the file system says.</summary>
public enum JournalFault
{
    /// <summary>The file is no journal, or one of another version or another zone.</summary>
    Foreign,

    /// <summary>The change would make the file larger than it may be.</summary>
    Full,

    /// <summary>Another process has changed the file since it was read.</summary>
    Changed,

    /// <summary>An entry cannot be read that could be when the file was opened.</summary>
    Damaged,
}

/// <summary>A journal that cannot be used or added to. The message names the file, what was found and what to do.</summary>
/// <param name="fault">Why.</param>
/// <param name="message">The same in words.</param>
public sealed class JournalException(JournalFault fault, string message) : IOException(message)
{
    /// <summary>Why.</summary>
    public JournalFault Fault { get; } = fault;
}
