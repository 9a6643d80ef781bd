namespace Dns.Forwarding;

/// <summary>The result of a read.</summary>
internal struct CacheRead
{
    /// <summary>The entry's header.</summary>
    public EntryHeader Header;

    /// <summary>The slot when it was read.</summary>
    public ulong Slot;

    /// <summary>The index of the slot.</summary>
    public int SlotIndex;

    /// <summary>Whether the entry has not expired.</summary>
    public bool IsFresh;

    /// <summary>Whether the records were copied: usable, and they fit.</summary>
    public bool IsCopied;
}
