namespace Dns.Forwarding;

/// <summary>What a reader found.</summary>
internal struct CacheRead
{
    /// <summary>The entry's header.</summary>
    public EntryHeader Header;

    /// <summary>The slot as it was.</summary>
    public ulong Slot;

    /// <summary>Where the slot is.</summary>
    public int SlotIndex;

    /// <summary>Whether the entry's time is not over.</summary>
    public bool IsFresh;

    /// <summary>Whether the records have been copied: they were good for it, and fit.</summary>
    public bool IsCopied;
}
