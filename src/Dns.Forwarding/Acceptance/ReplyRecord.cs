namespace Dns.Forwarding.Acceptance;

/// <summary>The position of a record in a reply. Offsets count from the start of the message.</summary>
internal struct ReplyRecord
{
    public ulong OwnerHash;

    /// <summary>The received TTL, in seconds.</summary>
    public uint Ttl;

    public ushort OwnerOffset;
    public ushort RdataOffset;

    /// <summary>Length of the RDATA as received, possibly with compressed names.</summary>
    public ushort RdataOctets;

    public RRType Type;

    /// <summary>The type an RRSIG covers; 0 for other types.</summary>
    public RRType Covered;

    public byte OwnerLabels;
    public bool IsAuthority;
    public bool IsTaken;
}
