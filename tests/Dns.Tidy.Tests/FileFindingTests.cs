using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>A term of the RFCs is in the name of the file that a reader looks for.</summary>
public class FileFindingTests
{
    [Theory]
    [InlineData("A-label", "src/Dns.Zones/MasterFiles/ALabelText.cs")]
    [InlineData("AXFR", "src/Dns.Replication/Outgoing/AxfrSequence.cs")]
    [InlineData("canonical order", "src/Dns.Zones/Ordering/CanonicalOrder.cs")]
    [InlineData("catalog member", "src/Dns.Replication/Catalogs/CatalogMember.cs")]
    [InlineData("CDS", "src/Dns.Dnssec/Validation/CdsCheck.cs")]
    [InlineData("class", "src/Dns.Protocol/Messages/RRClass.cs")]
    [InlineData("CNAME", "src/Dns.Answering/Planning/Resolution.CnameDname.cs")]
    [InlineData("compact NSEC", "src/Dns.Zones/Denial/CompactNsec.cs")]
    [InlineData("cookie option", "src/Dns.Answering/Parsing/CookieOption.cs")]
    [InlineData("DNAME", "src/Dns.Answering/Planning/Resolution.CnameDname.cs")]
    [InlineData("DNSKEY", "src/Dns.Dnssec/Keys/Dnskey.cs")]
    [InlineData("domain name", "src/Dns.Protocol/Names/DomainName.cs")]
    [InlineData("DS digest", "src/Dns.Dnssec/Keys/DsDigest.cs")]
    [InlineData("DS record", "src/Dns.Dnssec/Keys/DsRecord.cs")]
    [InlineData("DSYNC", "src/Dns.Replication/Notify/DsyncAnswer.cs")]
    [InlineData("dynamic update", "src/Dns.Replication/Update/DynamicUpdates.cs")]
    [InlineData("EDNS option", "src/Dns.Protocol/Edns/EdnsOptionCode.cs")]
    [InlineData("extended error", "src/Dns.Protocol/Edns/ExtendedErrorCode.cs")]
    [InlineData("$GENERATE directive", "src/Dns.Zones/MasterFiles/GenerateDirective.cs")]
    [InlineData("IXFR", "src/Dns.Replication/Outgoing/IxfrSequence.cs")]
    [InlineData("key rollover", "src/Dns.Dnssec/Policies/KeyRollover.cs")]
    [InlineData("key tag", "src/Dns.Dnssec/Keys/KeyTag.cs")]
    [InlineData("master file reader", "src/Dns.Zones/MasterFiles/MasterFileReader.cs")]
    [InlineData("message header", "src/Dns.Protocol/Messages/MessageHeader.cs")]
    [InlineData("name compressor", "src/Dns.Answering/Encoding/NameCompressor.cs")]
    [InlineData("negative SOA", "src/Dns.Zones/Lookup/NegativeSoa.cs")]
    [InlineData("NOTIFY message", "src/Dns.Replication/Notify/NotifyMessage.cs")]
    [InlineData("NSEC chain", "src/Dns.Dnssec/Validation/NsecChain.cs")]
    [InlineData("NSEC denial", "src/Dns.Zones/Denial/NsecDenial.cs")]
    [InlineData("NSEC3 hash", "src/Dns.Zones/Denial/Nsec3Hash.cs")]
    [InlineData("opcode", "src/Dns.Protocol/Messages/Opcode.cs")]
    [InlineData("OPT", "src/Dns.Protocol/Edns/OptReader.cs")]
    [InlineData("question", "src/Dns.Protocol/Messages/Question.cs")]
    [InlineData("RCODE", "src/Dns.Protocol/Messages/Rcode.cs")]
    [InlineData("RR type", "src/Dns.Protocol/Messages/RRType.cs")]
    [InlineData("RRset", "src/Dns.Zones/Lookup/RRset.cs")]
    [InlineData("RRSIG", "src/Dns.Dnssec/Keys/RrsigFields.cs")]
    [InlineData("serial number", "src/Dns.Protocol/RecordData/SerialNumber.cs")]
    [InlineData("SOA timers", "src/Dns.Replication/Incoming/SoaTimers.cs")]
    [InlineData("SVCB", "src/Dns.Protocol/RecordData/SvcbParamsField.cs")]
    [InlineData("trust anchor", "src/Dns.Dnssec/Validation/TrustAnchor.cs")]
    [InlineData("trust chain", "src/Dns.Dnssec/Validation/TrustChain.cs")]
    [InlineData("TSIG record", "src/Dns.Protocol/Tsig/TsigRecord.cs")]
    [InlineData("TTL", "src/Dns.Protocol/Presentation/TtlText.cs")]
    [InlineData("wire name", "src/Dns.Protocol/Names/WireName.cs")]
    [InlineData("zone", "src/Dns.Zones/Lookup/Zone.cs")]
    [InlineData("ZONEMD record", "src/Dns.Dnssec/Signing/ZonemdRecord.cs")]
    public void The_shortest_file_name_with_a_term_of_the_RFCs_is_the_one_to_read(string term, string path) =>
        Assert.Equal(path, Repository.Under("src/").Select(file => file.Path)
            .Where(file => HasTerm(NameOf(file), term)).MinBy(file => (NameOf(file).Length, file)));

    [Theory]
    [InlineData("InotifyCalls", "NOTIFY", false)]
    [InlineData("NotifyMessage", "NOTIFY", true)]
    [InlineData("KeyTags", "key tag", true)]
    [InlineData("KeyTagged", "key tag", false)]
    [InlineData("DsDigest", "DSYNC", false)]
    public void A_term_is_made_of_whole_words(string name, string term, bool expected) =>
        Assert.Equal(expected, HasTerm(name, term));

    private static string NameOf(string path) => Path.GetFileNameWithoutExtension(path);

    private static bool HasTerm(string name, string term)
    {
        string word = string.Concat(term.Where(char.IsLetterOrDigit));
        for (int start = 0; start < name.Length; start++)
        {
            if (start > 0 && !char.IsUpper(name[start])) continue;
            if (!name.AsSpan(start).StartsWith(word, StringComparison.OrdinalIgnoreCase)) continue;
            ReadOnlySpan<char> rest = name.AsSpan(start + word.Length);
            if (rest is "" or "s" || char.IsUpper(rest[0]) || rest[0] == 's' && char.IsUpper(rest[1])) return true;
        }
        return false;
    }
}
