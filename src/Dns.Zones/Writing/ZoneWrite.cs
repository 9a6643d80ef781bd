namespace Dns.Zones.Writing;

/// <summary>
/// One change of one zone for an <see cref="IZoneWriter"/>: of its records, or that it is added or removed. A back end
/// reads it as a <see cref="ZoneWriteStep"/>.
/// </summary>
/// <param name="zone">The zone's name.</param>
public abstract class ZoneWrite(DomainName zone, ZoneAuthor author)
{
    /// <summary>The zone's name.</summary>
    public DomainName Zone { get; } = zone;

    /// <summary>Who changes it.</summary>
    public ZoneAuthor Author { get; } = author;

    /// <summary>The serial that the zone must have, else nothing is written; null = any.</summary>
    public uint? ExpectedSerial { get; init; }

    /// <summary>
    /// What the zone becomes. Called in the order of the writes of the zone, and once more if a back end repeats a
    /// transaction: the same version gives the same proposal.
    /// </summary>
    /// <param name="now">The version that the writes before have left; null = there is no such zone.</param>
    public abstract ZoneProposal Propose(Zone? now);

    /// <summary>Changes records.</summary>
    /// <param name="delta">The change. Its SOA and serials are adapted to the version that it meets, unless they fit:
    /// the serial increases always.</param>
    /// <param name="expectedSerial">See <see cref="ExpectedSerial"/>.</param>
    public static ZoneWrite Change(ZoneDelta delta, ZoneAuthor author, uint? expectedSerial = null) =>
        new DeltaWrite(delta, author) { ExpectedSerial = expectedSerial };

    /// <summary>Adds a zone that does not exist.</summary>
    /// <param name="version">Its first version.</param>
    public static ZoneWrite Add(Zone version, ZoneAuthor author) =>
        new FixedWrite(DomainName.FromOctets(version.Apex), author, new ZoneProposal { Version = version });

    /// <summary>Removes a zone.</summary>
    /// <param name="expectedSerial">See <see cref="ExpectedSerial"/>.</param>
    public static ZoneWrite Remove(DomainName zone, ZoneAuthor author, uint? expectedSerial = null) =>
        new FixedWrite(zone, author, new ZoneProposal { IsRemoval = true }) { ExpectedSerial = expectedSerial };

    private sealed class FixedWrite(DomainName zone, ZoneAuthor author, ZoneProposal proposal)
        : ZoneWrite(zone, author)
    {
        public override ZoneProposal Propose(Zone? now) => proposal;
    }
}

/// <summary>What a write makes of a zone: nothing, a change, a first version, its removal, or a fault.</summary>
public readonly record struct ZoneProposal
{
    /// <summary>The change from the version that it was made for; null = none.</summary>
    public ZoneDelta? Delta { get; init; }

    /// <summary>The first version of a new zone; null = none.</summary>
    public Zone? Version { get; init; }

    /// <summary>Whether the zone is removed.</summary>
    public bool IsRemoval { get; init; }

    /// <summary>Why nothing is written; null = it is.</summary>
    public ZoneWriteFault? Fault { get; init; }
}
