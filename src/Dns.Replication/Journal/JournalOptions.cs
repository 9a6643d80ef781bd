namespace Dns.Replication;

/// <summary>How large journals become.</summary>
public sealed record JournalOptions
{
    /// <summary>The defaults.</summary>
    public static JournalOptions Default { get; } = new();

    /// <summary>The most octets of a file. What would make it larger is refused until it has been compacted or emptied.</summary>
    public long MaxOctets { get; init; } = 1L << 30;

    /// <summary>Octets from which on it should be compacted: half of the most.</summary>
    public long CompactionOctets => MaxOctets / 2;
}
