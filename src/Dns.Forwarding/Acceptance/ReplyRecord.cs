using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>Where a record of a reply is. Positions count from the start of the message.</summary>
internal struct ReplyRecord
{
    /// <summary>The hash of the owner.</summary>
    public ulong OwnerHash;

    /// <summary>TTL as it came, in seconds.</summary>
    public uint Ttl;

    /// <summary>Where the owner is.</summary>
    public ushort OwnerOffset;

    /// <summary>Where the RDATA is.</summary>
    public ushort RdataOffset;

    /// <summary>Length of the RDATA as it came, names perhaps compressed.</summary>
    public ushort RdataOctets;

    /// <summary>The type.</summary>
    public RRType Type;

    /// <summary>The type an RRSIG covers; 0 for other types.</summary>
    public RRType Covered;

    /// <summary>Labels of the owner.</summary>
    public byte OwnerLabels;

    /// <summary>Whether it stood in the authority section.</summary>
    public bool IsAuthority;

    /// <summary>Whether it has been taken over.</summary>
    public bool IsTaken;
}
