using System.Security.Cryptography;

namespace Dns.Replication.Catalogs;

/// <summary>Makes versions of a catalog zone (RFC 9432 §4).</summary>
internal static class CatalogMaker
{
    private const int IdOctets = 16;
    private const uint Refresh = 3600, Retry = 600, Expire = 2_147_483_646;

    public const uint Ttl = 0;

    /// <summary>The id of a new member.</summary>
    /// <param name="serial">Previous serial, so that a zone that returns gets another id; null = none yet.</param>
    public static string NewId(DomainName zone, uint? serial)
    {
        byte[] octets = new byte[zone.Octets.Length + sizeof(uint)];
        WireName.ToLower(zone.Octets, octets);
        BinaryPrimitives.WriteUInt32BigEndian(octets.AsSpan(zone.Octets.Length), serial ?? 0);
        return Convert.ToHexStringLower(SHA256.HashData(octets).AsSpan(0, IdOctets));
    }

    public static Zone Make(DomainName catalog, uint serial, IEnumerable<CatalogMember> members)
    {
        ZoneBuilder builder = Begin(catalog, serial);
        builder.Add(Below("version"u8, catalog.Octets), sameOwner: false, RRType.TXT, Ttl, "\u00012"u8);
        foreach (CatalogMember member in members)
        {
            byte[] owner = NodeOf(catalog, member);
            builder.Add(owner, sameOwner: false, RRType.PTR, Ttl, member.Zone.Octets);
            foreach (string group in member.Groups)
                builder.Add(Below("group"u8, owner), sameOwner: false, RRType.TXT, Ttl, TextOf(group));
        }
        return builder.Build();
    }

    /// <summary>Begins a zone with its SOA and NS.</summary>
    public static ZoneBuilder Begin(DomainName apex, uint serial)
    {
        ZoneBuilder builder = new(apex.Octets);
        byte[] invalid = DomainName.Parse("invalid.").Octets.ToArray();
        builder.Add(apex.Octets, sameOwner: false, RRType.SOA, Ttl, SoaOf(invalid, serial));
        builder.Add(apex.Octets, sameOwner: true, RRType.NS, Ttl, invalid);
        return builder;
    }

    /// <summary>The name of a member node.</summary>
    public static byte[] NodeOf(DomainName catalog, CatalogMember member) =>
        Below(Encoding.Latin1.GetBytes(member.Id), Below("zones"u8, catalog.Octets));

    /// <summary>A group as RDATA of TXT: at most 255 octets.</summary>
    public static byte[] TextOf(string group)
    {
        byte[] text = Encoding.UTF8.GetBytes(group);
        return [(byte)text.Length, .. text];
    }

    private static byte[] SoaOf(byte[] invalid, uint serial)
    {
        byte[] rdata = new byte[2 * invalid.Length + 5 * sizeof(uint)];
        invalid.CopyTo(rdata, 0);
        invalid.CopyTo(rdata, invalid.Length);
        Span<byte> numbers = rdata.AsSpan(2 * invalid.Length);
        BinaryPrimitives.WriteUInt32BigEndian(numbers, serial);
        BinaryPrimitives.WriteUInt32BigEndian(numbers[4..], Refresh);
        BinaryPrimitives.WriteUInt32BigEndian(numbers[8..], Retry);
        BinaryPrimitives.WriteUInt32BigEndian(numbers[12..], Expire);
        return rdata;
    }

    private static byte[] Below(ReadOnlySpan<byte> label, ReadOnlySpan<byte> parent) =>
        [(byte)label.Length, .. label, .. parent];
}
