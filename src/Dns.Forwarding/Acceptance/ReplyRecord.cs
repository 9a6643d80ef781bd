namespace Dns.Forwarding;

/// <summary>The position of a record in a reply. Offsets count from the start of the message.</summary>
internal struct ReplyRecord
{
    /// <summary>The hash of the owner.</summary>
    public ulong OwnerHash;

    /// <summary>The received TTL, in seconds.</summary>
    public uint Ttl;

    /// <summary>The offset of the owner.</summary>
    public ushort OwnerOffset;

    /// <summary>The offset of the RDATA.</summary>
    public ushort RdataOffset;

    /// <summary>Length of the RDATA as received, possibly with compressed names.</summary>
    public ushort RdataOctets;

    /// <summary>The type.</summary>
    public RRType Type;

    /// <summary>The type an RRSIG covers; 0 for other types.</summary>
    public RRType Covered;

    /// <summary>Label count of the owner.</summary>
    public byte OwnerLabels;

    /// <summary>Whether it is in the authority section.</summary>
    public bool IsAuthority;

    /// <summary>Whether it was accepted.</summary>
    public bool IsTaken;
}
