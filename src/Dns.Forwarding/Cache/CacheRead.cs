namespace Dns.Forwarding.Cache;

/// <summary>The result of a read.</summary>
internal struct CacheRead
{
    public EntryHeader Header;

    /// <summary>The slot when it was read.</summary>
    public ulong Slot;

    public int SlotIndex;

    public bool IsFresh;

    /// <summary>Whether the records were copied: usable, and they fit.</summary>
    public bool IsCopied;

    public readonly RelayedAnswer ToAnswer()
    {
        RelayedAnswer answer = Header.ToAnswer();
        if (IsCopied) return answer;
        answer.DoesNotFit = true;
        answer.Octets = answer.AnswerCount = answer.AuthorityCount = 0;
        return answer;
    }
}
