using Dns.Protocol;

namespace Dns.Dnssec;

/// <summary>What a validator says of one RRset of a message.</summary>
public sealed record ValidatedRRset
{
    /// <summary>The section it is in.</summary>
    public required MessageSection Section { get; init; }

    /// <summary>The owner.</summary>
    public required DomainName Owner { get; init; }

    /// <summary>The type.</summary>
    public required RRType Type { get; init; }

    /// <summary>What it is worth.</summary>
    public required SecurityStatus Status { get; init; }

    /// <summary>Why, in words; empty where it is secure.</summary>
    public string Reason { get; init; } = "";

    /// <summary>The RDATA of its records.</summary>
    public IReadOnlyList<byte[]> Rdata { get; init; } = [];

    /// <summary>The zone that signed it; null = nothing verified.</summary>
    public DomainName? Signer { get; init; }

    /// <summary>The key that signed it.</summary>
    public PublicKey? Key { get; init; }

    /// <summary>Until when the signature is good.</summary>
    public DateTimeOffset? Expiration { get; init; }

    /// <summary>The labels that the signature counts; fewer than the owner has where the records are of a wildcard.</summary>
    public int Labels { get; init; }

    /// <summary>Whether the records are those of a wildcard under another name.</summary>
    public bool IsExpanded => Signer is not null && Labels < CanonicalRRset.LabelsOf(Owner.Octets);
}
