using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>
/// A zone with everything that denial has to do with, and its signed versions as lines that tests damage.
/// </summary>
internal static class SignedSource
{
    internal const string Apex = "example.net";

    internal const string Text = """
        $TTL 3600
        @ SOA ns host 1 3600 600 86400 300
        @ NS ns
        @ NS ns.sub2
        @ MX 10 Mail
        ns A 192.0.2.1
        mail A 192.0.2.2
        mail AAAA 2001:db8::2
        www CNAME mail
        *.wild TXT "x" "y"
        *.wild MX 5 mail
        a.b.c A 192.0.2.3
        sub NS ns.sub
        sub DS 12345 13 2 3AA5AB37EFCE57F737FC1627013FEE07BDF241BD10F3B1964AB55C78E79A304B
        ns.sub A 192.0.2.4
        sub2 NS ns.sub2
        ns.sub2 A 192.0.2.5
        sub3.x.y NS ns.example.org.
        sub4 NS ns.example.org.
        d DNAME example.org.
        """;

    /// <summary>The zone, signed now.</summary>
    internal static Zone Sign(SigningPlan plan, string text = Text, string apex = Apex, DateTimeOffset? now = null)
    {
        SigningResult result = ZoneSigner.SignWhole(ZoneText.Load(apex, text), plan, now ?? Plans.Now);
        Assert.True(result.IsSigned, result.Error);
        return result.Zone;
    }

    /// <summary>The records of a zone, one a line, the SOA first.</summary>
    internal static List<string> Lines(Zone zone)
    {
        List<string> lines = [];
        foreach (ZoneNode node in zone.Order)
            foreach (RRset rrset in node)
                foreach (ReadOnlySpan<byte> rdata in rrset)
                    lines
                        .Add(
                            $"{NameText.ToText(node.Name)} {rrset.Ttl} IN {RRTypeText.Format(rrset.Type)} " +
                                $"{Rdata.Format(rrset.Type, rdata)}");
        int soa = lines.FindIndex(line => line.Contains(" IN SOA "));
        (lines[0], lines[soa]) = (lines[soa], lines[0]);
        return lines;
    }

    /// <summary>A zone of lines.</summary>
    internal static Zone Load(IEnumerable<string> lines) => ZoneText.Load(Apex, string.Join('\n', lines) + "\n");
}
