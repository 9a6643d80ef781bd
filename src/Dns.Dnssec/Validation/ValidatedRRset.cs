namespace Dns.Dnssec.Validation;

/// <summary>The validation of one RRset of a message.</summary>
public sealed record ValidatedRRset
{
    /// <summary>Its section.</summary>
    public required MessageSection Section { get; init; }

    /// <summary>The owner.</summary>
    public required DomainName Owner { get; init; }

    /// <summary>The type.</summary>
    public required RRType Type { get; init; }

    /// <summary>Its security status.</summary>
    public required SecurityStatus Status { get; init; }

    /// <summary>The reason; empty if it is secure.</summary>
    public string Reason { get; init; } = "";

    /// <summary>The RDATA of its records.</summary>
    public IReadOnlyList<byte[]> Rdata { get; init; } = [];

    /// <summary>The zone that signed it; null = nothing verified.</summary>
    public DomainName? Signer { get; init; }

    /// <summary>The key that signed it.</summary>
    public Dnskey? Key { get; init; }

    /// <summary>When the signature expires.</summary>
    public DateTimeOffset? Expiration { get; init; }

    /// <summary>The labels field of the signature; less than the owner's labels for an expanded wildcard.</summary>
    public int Labels { get; init; }

    /// <summary>Whether the records were expanded from a wildcard.</summary>
    public bool IsExpanded => Signer is not null && Labels < CanonicalRRset.LabelsOf(Owner.Octets);
}
