using Dns.Protocol;

namespace Dns.Dnssec;

/// <summary>Proofs by the NSEC or NSEC3 records of one zone that were verified.</summary>
internal interface IDenial
{
    /// <summary>That neither a name nor a wildcard for it exists.</summary>
    DenialVerdict ProveNoName(ReadOnlySpan<byte> name);

    /// <summary>That a name, or the wildcard for it, exists without a type.</summary>
    /// <param name="name">The name.</param>
    /// <param name="type">The type.</param>
    /// <param name="isCut">Whether the record at the name says that it is a delegation.</param>
    DenialVerdict ProveNoType(ReadOnlySpan<byte> name, RRType type, out bool isCut);

    /// <summary>That a name does not exist which the wildcard was expanded for whose parent has some labels.</summary>
    DenialVerdict ProveExpansion(ReadOnlySpan<byte> name, int labels);
}
