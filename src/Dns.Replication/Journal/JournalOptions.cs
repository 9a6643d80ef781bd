namespace Dns.Replication.Journal;

/// <summary>Limits of journals.</summary>
public sealed record JournalOptions
{
    /// <summary>The defaults.</summary>
    public static JournalOptions Default { get; } = new();

    /// <summary>The maximum length of a file. Longer changes are refused until it was compacted or emptied.</summary>
    public long MaxOctets { get; init; } = 1L << 30;

    /// <summary>The length from which on it should be compacted: half of the maximum.</summary>
    public long CompactionOctets => MaxOctets / 2;
}
