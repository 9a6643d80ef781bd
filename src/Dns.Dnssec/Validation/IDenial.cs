namespace Dns.Dnssec.Validation;

/// <summary>Proofs by verified NSEC or NSEC3 records of one zone.</summary>
internal interface IDenial
{
    /// <summary>Proves that neither a name nor its wildcard exists.</summary>
    DenialVerdict ProveNoName(ReadOnlySpan<byte> name);

    /// <summary>Proves that a name, or its wildcard, exists without a type.</summary>
    /// <param name="isCut">Whether the record at the name shows a delegation.</param>
    DenialVerdict ProveNoType(ReadOnlySpan<byte> name, RRType type, out bool isCut);

    /// <summary>Proves that the name for which a wildcard was expanded does not exist.</summary>
    DenialVerdict ProveExpansion(ReadOnlySpan<byte> name, int labels);
}
