using System.Text;

namespace Dns.Dnssec.Tests;

/// <summary>
/// A signed version as text that two signings of the same source have in common: in order, without the octets of
/// signatures.
/// </summary>
internal static class SignedZoneText
{
    /// <summary>One line for each record, sorted. Of a signature all but its times and its octets.</summary>
    internal static string Of(Zone zone, bool hasTimes = false)
    {
        List<string> lines = [];
        foreach (ZoneNode node in zone)
        {
            string owner = NameText.ToText(node.Name);
            foreach (RRset rrset in node)
                foreach (ReadOnlySpan<byte> rdata in rrset)
                    lines.Add(
                        $"{owner} {rrset.Ttl} {RRTypeText.Format(rrset.Type)} {Text(rrset.Type, rdata, hasTimes)}");
        }
        lines.Sort(StringComparer.Ordinal);
        return string.Join('\n', lines);
    }

    private static string Text(RRType type, ReadOnlySpan<byte> rdata, bool hasTimes)
    {
        if (type != RRType.RRSIG) return Rdata.Format(type, rdata);
        Assert.True(RrsigFields.TryRead(rdata, out RrsigFields fields));
        StringBuilder text = new();
        text.Append(
            $"{RRTypeText.Format(fields.TypeCovered)} {fields.Algorithm} {fields.Labels} {fields.OriginalTtl} " +
                $"{fields.KeyTag} ");
        text.Append(NameText.ToText(fields.Signer));
        if (hasTimes) text.Append($" {fields.Inception} {fields.Expiration}");
        return text.ToString();
    }

    /// <summary>Asserts that the verifier finds no error.</summary>
    internal static void AssertGood(Zone zone, DateTimeOffset now)
    {
        ZoneVerification verification = ZoneVerifier.Verify(zone, new ZoneVerifierSettings { Now = now, Threads = 1 });
        Assert.True(verification.IsGood, string.Join('\n', verification.Diagnostics.Select(one => one.Message)));
    }

    /// <summary>When the signatures of a zone end, in seconds since 1970.</summary>
    internal static List<uint> Expirations(Zone zone)
    {
        List<uint> ends = [];
        foreach (ZoneNode node in zone)
            foreach (RRset rrset in node)
                foreach (ReadOnlySpan<byte> rdata in rrset)
                    if (rrset.Type == RRType.RRSIG && RrsigFields.TryRead(rdata, out RrsigFields fields))
                        ends.Add(fields.Expiration);
        return ends;
    }

    /// <summary>The tags of the keys that have signed an RRset of the apex.</summary>
    internal static List<ushort> Signers(Zone zone, RRType type)
    {
        List<ushort> tags = [];
        if (!zone.ApexNode.TryFindSignatures(type, out RRset signatures)) return tags;
        foreach (ReadOnlySpan<byte> rdata in signatures)
            if (RrsigFields.TryRead(rdata, out RrsigFields fields)) tags.Add(fields.KeyTag);
        return tags;
    }

    /// <summary>Verifies every signature of a zone with the keys at its apex, and returns how many there are.</summary>
    internal static int VerifyAll(Zone zone)
    {
        List<Dnskey> keys = [];
        Assert.True(zone.ApexNode.TryFind(RRType.DNSKEY, out RRset dnskey));
        foreach (ReadOnlySpan<byte> rdata in dnskey)
        {
            Assert.True(Dnskey.TryRead(rdata, out Dnskey? key));
            keys.Add(key);
        }
        CanonicalRRset canonical = new();
        int count = 0;
        foreach (ZoneNode node in zone)
        {
            foreach (RRset signatures in node)
            {
                if (signatures.Type != RRType.RRSIG) continue;
                foreach (ReadOnlySpan<byte> rdata in signatures)
                {
                    count++;
                    Verify(node, rdata, keys, canonical);
                }
            }
        }
        return count;
    }

    private static void Verify(ZoneNode node, ReadOnlySpan<byte> rdata, List<Dnskey> keys, CanonicalRRset canonical)
    {
        Assert.True(RrsigFields.TryRead(rdata, out RrsigFields fields));
        string what = $"{RRTypeText.Format(fields.TypeCovered)} at {NameText.ToText(node.Name)}";
        Assert.True(node.TryFind(fields.TypeCovered, out RRset rrset), $"a signature of no {what}");
        Assert.Equal(rrset.Ttl, fields.OriginalTtl);
        canonical.Set(node.Name, rrset, rrset.Ttl);
        bool isGood = false;
        foreach (Dnskey key in keys)
            if (key.Tag == fields.KeyTag && key.Algorithm == fields.Algorithm)
                isGood |= key.Verify(canonical.SignedData(fields.Prefix), fields.Signature);
        Assert.True(isGood, $"a wrong signature of {what}");
    }
}
