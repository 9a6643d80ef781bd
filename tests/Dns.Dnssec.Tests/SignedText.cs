using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>Records of presentation text, as the examples of RFCs have them.</summary>
internal static class SignedText
{
    /// <summary>RDATA of text.</summary>
    public static byte[] Rdata(RRType type, string text)
    {
        byte[] octets = Octets("record.test.", $"record {RRTypeText.Format(type)} {text}", "record", type);
        return octets;
    }

    /// <summary>Verifies the RRSIG that stands in a zone's text over the RRset of a name and a type.</summary>
    public static bool Verifies(Zone zone, string owner, RRType type, Dnskey key)
    {
        ZoneNode node = Find(zone, owner);
        Assert.True(node.TryFind(type, out RRset rrset));
        Assert.True(node.TryFindSignatures(type, out RRset signatures));
        Assert.True(RrsigFields.TryRead(signatures.First, out RrsigFields fields));
        CanonicalRRset canonical = new();
        canonical.Set(node.Name, rrset, fields.OriginalTtl);
        return key.Tag == fields.KeyTag && key.Verify(canonical.SignedData(fields.Prefix), fields.Signature);
    }

    /// <summary>The node of a name.</summary>
    public static ZoneNode Find(Zone zone, string owner)
    {
        LookupName name = default;
        name.Set(WireOctets.Name(owner));
        Assert.True(zone.TryFind(in name, 0, out ZoneNode node), owner);
        return node;
    }

    private static byte[] Octets(string apex, string line, string owner, RRType type)
    {
        Zone zone =
            ZoneText.Load(apex,
                $"@ 60 IN SOA ns hostmaster 1 2 3 4 5\n@ 60 NS ns.test.\n{owner}.record.test. 60 IN " +
                    $"{line[(owner.Length + 1)..]}\n");
        Assert.True(Find(zone, $"{owner}.{apex}").TryFind(type, out RRset rrset));
        return rrset.First.ToArray();
    }
}
