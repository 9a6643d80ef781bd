namespace Dns.Zones.Denial;

/// <summary>
/// How a signed zone denies existence: by its NSEC records, or by the NSEC3 records of its NSEC3PARAM. Belongs to one
/// version of the zone. Finds the records and allocates nothing; they are not verified.
/// </summary>
/// <remarks>
/// Each method adds the nodes of a proof. A name is given with the number of its labels that precede an ancestor; the
/// closest encloser is the longest existing name at or above it (RFC 4592 §3.3.1).
/// </remarks>
public abstract class ZoneDenial
{
    private protected ZoneDenial()
    {
    }

    /// <summary>The parameters of the NSEC3 chain; null for NSEC.</summary>
    public abstract Nsec3Parameters? Parameters { get; }

    /// <summary>Number of names in the chain.</summary>
    public abstract int Count { get; }

    internal abstract long MemoryBytes { get; }

    /// <summary>Proves that neither a name nor its wildcard exists (RFC 4035 §3.1.3.2, RFC 5155 §7.2.2).</summary>
    /// <param name="encloserSkip">How many of its labels precede the closest encloser, 1 or more.</param>
    public abstract void ProveNameError(
        Zone zone, scoped ref readonly LookupName name, int encloserSkip, int apexSkip, ref DenialProof proof);

    /// <summary>
    /// Proves that an existing name does not have a type, at a cut above all DS (RFC 4035 §3.1.3.1, §3.1.4; RFC 5155
    /// §7.2.3, §7.2.4, §7.2.7).
    /// </summary>
    /// <param name="name">A name at or below that one.</param>
    /// <param name="skip">How many of its labels precede that.</param>
    public abstract void ProveNoData(
        Zone zone, scoped ref readonly LookupName name, int skip, int apexSkip, ref DenialProof proof);

    /// <summary>Proves that a name matched by a wildcard is absent (RFC 4035 §3.1.3.3, RFC 5155 §7.2.6).</summary>
    public abstract void ProveExpansion(Zone zone, scoped ref readonly LookupName name, int encloserSkip,
        ref DenialProof proof);

    /// <summary>The same for a wildcard without the type (RFC 4035 §3.1.3.4, RFC 5155 §7.2.5).</summary>
    public abstract void ProveWildcardNoData(
        Zone zone, scoped ref readonly LookupName name, int encloserSkip, int apexSkip, ref DenialProof proof);

    /// <summary>Finds the NSEC3 record at or before a hash; in the ring, the last precedes the first.</summary>
    /// <param name="hash">A hash, 20 octets.</param>
    /// <param name="owner">Receives the hash of the record's owner, 20 octets.</param>
    /// <param name="next">Receives the next hash of its RDATA, 20 octets (RFC 5155 §3.1.7).</param>
    /// <returns>False for NSEC, and for a record that is malformed.</returns>
    public virtual bool TryFindHash(
        Zone zone, scoped ReadOnlySpan<byte> hash, scoped Span<byte> owner, scoped Span<byte> next) => false;

    /// <summary>The nodes of the chain in its order.</summary>
    internal abstract uint[] ToArray();

    /// <summary>Writes a node's next name in lower case, and returns its length; 0 if there is none.</summary>
    internal abstract int CopyNext(ZoneNode node, Span<byte> next);

    /// <summary>Whether an existing name, not below a cut, is missing in the chain.</summary>
    internal abstract bool IsMissing(Zone zone, scoped ref readonly LookupName name, ZoneNode node, int apexSkip);

    /// <summary>A copy for an edit.</summary>
    internal abstract ZoneDenial BeginEdit();

    internal abstract void EndEdit(byte[][] segments, ReadOnlySpan<byte> apex);

    internal abstract bool Has(ZoneNode node);

    internal abstract void Add(byte[][] segments, uint reference);

    /// <summary>Removes a node from the chain, which is still in memory.</summary>
    internal abstract void Remove(byte[][] segments, uint reference);

    /// <summary>Replaces a node of the chain by another of the same name.</summary>
    internal abstract void Replace(byte[][] segments, uint replacement);

    /// <summary>Whether a version with this apex has the same kind of chain and the same parameters.</summary>
    internal bool IsOf(ZoneNode apex)
    {
        if (Count == 0) return false;
        Nsec3Parameters? parameters = Nsec3Denial.FindParameters(apex);
        return Parameters is null
            ? parameters is null && Has(apex) : parameters is not null && parameters.Equals(Parameters);
    }

    internal static ZoneDenial? Find(Zone zone) => (ZoneDenial?)Nsec3Denial.Find(zone) ?? NsecDenial.Find(zone);

    /// <summary>Writes the wildcard directly below a name and returns its length.</summary>
    private protected static int WriteWildcard(scoped ReadOnlySpan<byte> name, scoped Span<byte> wildcard)
    {
        "\u0001*"u8.CopyTo(wildcard);
        name.CopyTo(wildcard[2..]);
        return name.Length + 2;
    }
}
