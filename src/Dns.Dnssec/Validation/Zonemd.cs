using System.Buffers.Binary;
using System.Security.Cryptography;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Dnssec;

/// <summary>Digests of whole zones (RFC 8976) with the scheme SIMPLE: over all records in canonical order.</summary>
public static class Zonemd
{
    /// <summary>The scheme SIMPLE.</summary>
    public const byte Simple = 1;

    /// <summary>Octets in front of the digest: serial, scheme, hash.</summary>
    public const int FixedOctets = 6;

    /// <summary>Makes the RDATA of the ZONEMD record of a version.</summary>
    /// <param name="zone">The version. Its ZONEMD records and the signatures over them do not count; whether there are any does,
    /// in the NSEC or NSEC3 record of the apex.</param>
    /// <param name="hash">The hash.</param>
    public static byte[] Make(Zone zone, ZonemdHash hash)
    {
        byte[] digest = Compute(zone, hash), rdata = new byte[FixedOctets + digest.Length];
        BinaryPrimitives.WriteUInt32BigEndian(rdata, zone.Serial);
        (rdata[4], rdata[5]) = (Simple, (byte)hash);
        digest.CopyTo(rdata, FixedOctets);
        return rdata;
    }

    /// <summary>Computes the digest of a version.</summary>
    public static byte[] Compute(Zone zone, ZonemdHash hash)
    {
        using IncrementalHash digest =
            IncrementalHash.CreateHash(hash == ZonemdHash.Sha512 ? HashAlgorithmName.SHA512 : HashAlgorithmName.SHA384);
        CanonicalRRset canonical = new();
        List<uint> types = [];
        foreach (ZoneNode node in zone.Order)
        {
            bool isApex = node.Name.Length == zone.Apex.Length;
            types.Clear();
            foreach (RRset rrset in node) types.Add(KeyOf(rrset));
            types.Sort();
            foreach (uint key in types)
            {
                foreach (RRset rrset in node)
                {
                    if (KeyOf(rrset) != key || isApex && IsLeftOut(key)) continue;
                    canonical.Set(node.Name, rrset, rrset.Ttl);
                    digest.AppendData(canonical.Octets);
                }
            }
        }
        return digest.GetHashAndReset();
    }

    // Signatures are one RRset to RFC 8976, sorted by RDATA, which starts with the type that is covered; here they are one for each type.
    private static uint KeyOf(RRset rrset) =>
        (uint)rrset.Type << 16 | (rrset.Type == RRType.RRSIG ? BinaryPrimitives.ReadUInt16BigEndian(rrset.First) : 0u);

    private static bool IsLeftOut(uint key) => key == (uint)RRType.ZONEMD << 16 || key == ((uint)RRType.RRSIG << 16 | (uint)RRType.ZONEMD);
}
