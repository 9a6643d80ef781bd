using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// How a signed zone proves what it does not have: by its NSEC records, or by those NSEC3 records that its NSEC3PARAM names. Of one
/// version of the zone. Finds the records and allocates nothing; whether they are right is for who signed the zone.
/// </summary>
/// <remarks>
/// Each method adds to a proof the nodes that show it. A name is given with the number of its labels in front of the one that is
/// meant; the closest encloser is the longest name that exists at or above it (RFC 4592 §3.3.1).
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

    /// <summary>Octets of memory that the index of the chain takes.</summary>
    internal abstract long MemoryBytes { get; }

    /// <summary>Proves that a name does not exist, and no wildcard for it (RFC 4035 §3.1.3.2, RFC 5155 §7.2.2).</summary>
    /// <param name="zone">The version.</param>
    /// <param name="name">The name.</param>
    /// <param name="encloserSkip">How many of its labels stand in front of the closest encloser, 1 or more.</param>
    /// <param name="apexSkip">How many stand in front of the zone's name.</param>
    /// <param name="proof">What is added to.</param>
    public abstract void ProveNameError(
        Zone zone, scoped ref readonly LookupName name, int encloserSkip, int apexSkip, ref DenialProof proof);

    /// <summary>
    /// Proves that a name that exists does not have a type, at a cut above all that it has no DS (RFC 4035 §3.1.3.1, §3.1.4; RFC 5155
    /// §7.2.3, §7.2.4, §7.2.7).
    /// </summary>
    /// <param name="zone">The version.</param>
    /// <param name="name">A name at or below that one.</param>
    /// <param name="skip">How many of its labels stand in front of that.</param>
    /// <param name="apexSkip">How many stand in front of the zone's name.</param>
    /// <param name="proof">What is added to.</param>
    public abstract void ProveNoData(
        Zone zone, scoped ref readonly LookupName name, int skip, int apexSkip, ref DenialProof proof);

    /// <summary>
    /// Proves that a name does not exist for which a wildcard is there that has the type (RFC 4035 §3.1.3.3, RFC 5155 §7.2.6).
    /// </summary>
    /// <param name="zone">The version.</param>
    /// <param name="name">The name.</param>
    /// <param name="encloserSkip">How many of its labels stand in front of the closest encloser, 1 or more.</param>
    /// <param name="proof">What is added to.</param>
    public abstract void ProveExpansion(Zone zone, scoped ref readonly LookupName name, int encloserSkip, ref DenialProof proof);

    /// <summary>
    /// Proves that a name does not exist for which a wildcard is there that does not have the type (RFC 4035 §3.1.3.4, RFC 5155
    /// §7.2.5).
    /// </summary>
    /// <param name="zone">The version.</param>
    /// <param name="name">The name.</param>
    /// <param name="encloserSkip">How many of its labels stand in front of the closest encloser, 1 or more.</param>
    /// <param name="apexSkip">How many stand in front of the zone's name.</param>
    /// <param name="proof">What is added to.</param>
    public abstract void ProveWildcardNoData(
        Zone zone, scoped ref readonly LookupName name, int encloserSkip, int apexSkip, ref DenialProof proof);

    /// <summary>The nodes of the chain in its order.</summary>
    internal abstract uint[] ToArray();

    /// <summary>Writes the name that a node of the chain leads to, in lower case, and returns its length; 0 if it leads nowhere.</summary>
    internal abstract int CopyNext(ZoneNode node, Span<byte> next);

    /// <summary>Whether a name that exists, and is not below a cut, should be in the chain and is not.</summary>
    internal abstract bool IsMissing(Zone zone, scoped ref readonly LookupName name, ZoneNode node, int apexSkip);

    /// <summary>What a version begins with that an edit makes of this one.</summary>
    internal abstract ZoneDenial BeginEdit();

    /// <summary>Ends the edit.</summary>
    /// <param name="segments">The memory of the nodes.</param>
    /// <param name="apex">The zone's name.</param>
    internal abstract void EndEdit(byte[][] segments, ReadOnlySpan<byte> apex);

    /// <summary>Whether a node is of the chain.</summary>
    internal abstract bool Has(ZoneNode node);

    /// <summary>Takes in a node of the chain.</summary>
    internal abstract void Add(byte[][] segments, uint reference);

    /// <summary>Lets a node of the chain go, which is still in memory.</summary>
    internal abstract void Remove(byte[][] segments, uint reference);

    /// <summary>Takes in a node of the chain in the place of one with the same name.</summary>
    internal abstract void Replace(byte[][] segments, uint replacement);

    /// <summary>Whether a version with this apex has the same kind of chain and the same parameters.</summary>
    internal bool IsOf(ZoneNode apex)
    {
        if (Count == 0) return false;
        Nsec3Parameters? parameters = Nsec3Denial.FindParameters(apex);
        return Parameters is null ? parameters is null && Has(apex) : parameters is not null && parameters.Equals(Parameters);
    }

    /// <summary>The chain of a version; null if it has none.</summary>
    internal static ZoneDenial? Find(Zone zone) => (ZoneDenial?)Nsec3Denial.Find(zone) ?? NsecDenial.Find(zone);

    /// <summary>Writes the wildcard directly below a name and returns its length.</summary>
    private protected static int WriteWildcard(scoped ReadOnlySpan<byte> name, scoped Span<byte> wildcard)
    {
        "\u0001*"u8.CopyTo(wildcard);
        name.CopyTo(wildcard[2..]);
        return name.Length + 2;
    }
}
