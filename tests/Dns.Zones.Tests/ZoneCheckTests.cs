using Xunit;

namespace Dns.Zones.Tests;

public sealed class ZoneCheckTests : IDisposable
{
    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_good_zone_has_no_diagnostics_and_is_served()
    {
        ZoneLoadResult result = _folder.Load(
            ZoneFolder.Start +
                "a A 192.0.2.1\nsub NS ns.sub\nns.sub AAAA 2001:db8::1\nc CNAME a\n*.w A 192.0.2.1\nm MX 1 x.w\n");
        Assert.Empty(result.Diagnostics);
        Assert.Equal(8, result.Zone!.RecordCount);
        Assert.Equal(8, result.RecordCount);
    }

    [Theory]
    [InlineData("\n", "1:1: error: found no SOA at example.com., expected one")]
    [InlineData("$TTL 1\n@ NS ns.x.\na A 192.0.2.1\n\n\n", "2:1: error: found no SOA at example.com., expected one")]
    [InlineData("@ 1 SOA a. b. 1 2 3 4 5\n@ 1 NS c.\n; x\n@ 1 SOA a. b. 2 2 3 4 5\n",
        "4:1: error: found a second SOA, expected one")]
    [InlineData("example.org. 1 SOA a. b. 1 2 3 4 5\n@ 1 NS c.\n",
        "1:1: error: found no SOA at example.com., expected one")]
    public void A_zone_has_exactly_one_SOA(string text, string expected) =>
        Assert.Equal(expected,
            string.Join('\n', _folder.Check(text).Split('\n').Where(line => line.Contains("error"))));

    [Theory]
    [InlineData("a CNAME b\na A 192.0.2.1\n",
        "5:1: error: found other data beside the CNAME at a.example.com., expected only the CNAME")]
    [InlineData("a A 192.0.2.1\nb A 192.0.2.1\na TXT x\nA CNAME b\n",
        "7:1: error: found other data beside the CNAME at a.example.com., expected only the CNAME")]
    [InlineData("@ CNAME b.\n",
        "4:1: error: found other data beside the CNAME at example.com., expected only the CNAME")]
    [InlineData("a CNAME b.\na DNAME b.\n",
        "5:1: error: found other data beside the CNAME at a.example.com., expected only the CNAME")]
    [InlineData("a CNAME b.\n CNAME b.\na CNAME c.\n",
        "5:2: warning: found CNAME at a.example.com. again: the copy is left out\n"
        + "6:1: error: found a second CNAME at a.example.com., expected one")]
    [InlineData("a DNAME b.\n\na DNAME c.\n", "6:1: error: found a second DNAME at a.example.com., expected one")]
    [InlineData("x.a A 192.0.2.1\na DNAME b.\nY.a TXT x\n A 192.0.2.1\n",
        "4:1: error: found x.a.example.com. below the DNAME at a.example.com., expected nothing there\n"
        + "6:1: error: found y.a.example.com. below the DNAME at a.example.com., expected nothing there")]
    [InlineData("*.a DNAME b.\nc.*.a A 192.0.2.1\n",
        "4:1: warning: found DNAME at the wildcard *.a.example.com., expected none: servers differ in what it "
        + "redirects (RFC 4592 §4.4)\n5:1: error: found c.*.a.example.com. below the DNAME at "
        + "*.a.example.com., expected nothing there")]
    [InlineData("@ DNAME b.\nx A 192.0.2.1\n",
        "5:1: error: found x.example.com. below the DNAME at example.com., expected nothing there")]
    [InlineData("a DNAME b.\na NS b.\n",
        "5:1: error: found an NS beside the DNAME at a.example.com., expected one of them")]
    [InlineData("@ DS 1 8 2 0000000000000000000000000000000000000000000000000000000000000000\n",
        "4:1: error: found a DS at the apex, expected it in the parent zone")]
    [InlineData("sub SOA a. b. 1 2 3 4 5\n",
        "4:1: error: found an SOA at sub.example.com., expected it at example.com. only")]
    [InlineData("a CH TXT x\n", "4:1: error: found class CH, expected IN")]
    [InlineData("a.example.org. CH TXT x\n", "4:1: error: found class CH, expected IN")]
    [InlineData("$GENERATE 0-65535 a TXT $\n", "4:1: error: found TXT at a.example.com. more than 65535 times, "
        + "expected at most so many records of a type")]
    [InlineData("a CLASS32 TXT x\n", "4:1: error: found class CLASS32, expected IN")]
    [InlineData("a CH TXT x\n TXT y\nb A 192.0.2.1\n", "4:1: error: found class CH, expected IN")]
    [InlineData("@ CH SOA a. b. 1 2 3 4 5\na A 192.0.2.1\n", "4:1: error: found class CH, expected IN")]
    [InlineData("a CH TXT x\nb IN TXT x\nc HS TXT x\nd TXT x\n",
        "4:1: error: found class CH, expected IN\n6:1: error: found class HS, expected IN")]
    [InlineData("$GENERATE 1-3 a$ CH TXT x\nb CH TXT x\n",
        "4:1: error: found class CH, expected IN\n5:1: error: found class CH, expected IN")]
    public void A_zone_that_cannot_be_served_is_an_error(string text, string expected)
    {
        ZoneLoadResult result = _folder.Load(ZoneFolder.Start + text);
        Assert.Equal(expected, _folder.Describe(result.Diagnostics));
        Assert.Null(result.Zone);
    }

    [Theory]
    [InlineData(
        "a CNAME b\na NSEC b.example.com. CNAME\na RRSIG CNAME 8 3 300 20300101000000 20200101000000 1 example.com. " +
            "AAAA\n")]
    [InlineData(
        "a CNAME b\na KEY 256 3 8 AAAA\na NXT b CNAME\na SIG CNAME 5 3 1 20300101000000 20200101000000 1 b AAAA\n")]
    [InlineData(
        "2vptu5timamqttgl4luu9kg21e0aor3s CNAME b\n" +
            "2vptu5timamqttgl4luu9kg21e0aor3s NSEC3 1 0 0 - 2vptu5timamqttgl4luu9kg21e0aor3s A\n")]
    [InlineData("@ DNAME b.\n")]
    [InlineData("a DNAME b.\na A 192.0.2.1\nxa A 192.0.2.1\n")]
    [InlineData("a DS 1 8 2 0000000000000000000000000000000000000000000000000000000000000000\na NS b.\n")]
    [InlineData("@ DNAME b.\n2vptu5timamqttgl4luu9kg21e0aor3s NSEC3 1 0 0 - 2vptu5timamqttgl4luu9kg21e0aor3s A\n")]
    [InlineData("sub NS ns.x.\nbelow.sub TXT occluded\n")]
    [InlineData("m MX 0 .\n_s._tcp SRV 0 0 0 .\n")]
    [InlineData("a CNAME b\n1 PTR b\nc CNAME x.sub\nsub NS ns.x.\n")]
    [InlineData("a CNAME x.y\nb PTR x.y\n*.y TXT x\nc CNAME x.d\nd DNAME y.\ne CNAME f.g\ng TXT x\n")]
    [InlineData("a CNAME x.y.other.test.\na.b TXT \"#\" \"# x\"\nb TXT #x\n")]
    [InlineData("m MX 1 ns.sub\n_s._tcp SRV 0 0 1 b.sub\nsub NS ns.x.\n")]
    [InlineData("m MX 1 x.w\n_s._tcp SRV 0 0 1 y.w\n*.w AAAA 2001:db8::1\n")]
    [InlineData("a 1 RRSIG CNAME 8 3 300 20300101000000 20200101000000 1 example.com. AAAA\n"
        + "a 2 RRSIG A 8 3 300 20300101000000 20200101000000 1 example.com. AAAA\n")]
    public void What_may_stand_together_is_no_diagnostic(string text) =>
        Assert.Equal("", _folder.Check(ZoneFolder.Start + text));

    [Theory, Trait("RFC", "9276 3.2")]
    [InlineData("@ NSEC3PARAM 1 0 101 -\n",
        "4:14: error: NSEC3PARAM at example.com.: found 101 iterations, expected at most 100: each is computed for " +
            "every query")]
    [InlineData("@ NSEC3PARAM 2 0 0 -\n",
        "4:14: error: NSEC3PARAM at example.com.: found hash algorithm 2, expected 1 (SHA-1)")]
    public void A_chain_of_hashes_that_costs_too_much_is_refused(string text, string expected)
    {
        ZoneLoadResult result = _folder.Load(ZoneFolder.Start + text);
        Assert.Equal(expected, _folder.Describe(result.Diagnostics.Where(found => found.Severity == Severity.Error)));
        Assert.Null(result.Zone);
    }

    [Theory]
    [InlineData("@ NSEC3PARAM 1 0 100 -\n")]
    [InlineData("@ NSEC3PARAM 1 1 101 -\n")]
    [InlineData("@ NSEC3PARAM 2 128 0 -\n")]
    public void A_chain_that_is_not_answered_from_may_cost_anything(string text) =>
        Assert.NotNull(_folder.Load(ZoneFolder.Start + text).Zone);

    [Theory]
    [InlineData("sub NS ns.sub\n",
        "4:8: warning: NS at sub.example.com.: found ns.sub.example.com., "
        + "which is in or below a delegation, without A or AAAA: missing glue")]
    [InlineData("sub NS ns.sub\n*.sub A 192.0.2.1\n",
        "4:8: warning: NS at sub.example.com.: found ns.sub.example.com., "
        + "which is in or below a delegation, without A or AAAA: missing glue")]
    [InlineData("sub NS ns.Sib\nsib NS ns.x.\n",
        "4:8: warning: NS at sub.example.com.: found ns.Sib.example.com., "
        + "which is in or below a delegation, without A or AAAA: missing glue")]
    [InlineData("sub NS ns\n",
        "4:8: warning: NS at sub.example.com.: found ns.example.com., a name of this zone, without A or AAAA: " +
            "missing address")]
    [InlineData("@ NS ns\nns TXT x\n",
        "4:6: warning: NS at example.com.: found ns.example.com., a name of this zone, without A or AAAA: missing " +
            "address")]
    [InlineData("@ NS c\nc CNAME d\nd A 192.0.2.1\n",
        "4:6: warning: NS at example.com.: found c.example.com., which is a CNAME, expected the name of a host")]
    [InlineData("m MX 1 d\n\nm MX 1 c\nc CNAME d\nd A 192.0.2.1\n",
        "6:6: warning: MX at m.example.com.: found c.example.com., which is a CNAME, expected the name of a host")]
    [InlineData("m MX 1 x.w\n*.w CNAME d\nd A 192.0.2.1\n",
        "4:6: warning: MX at m.example.com.: found x.w.example.com., which is a CNAME, expected the name of a host")]
    [InlineData("m MX 1 mail.example.com\nmail A 192.0.2.1\n",
        "4:6: warning: MX at m.example.com.: found mail.example.com.example.com., a name of this zone, without A or "
        + "AAAA: missing address, or the final dot of mail.example.com.")]
    [InlineData("m MX 1 mail\nmail TXT x\n",
        "4:6: warning: MX at m.example.com.: found mail.example.com., a name of this zone, without A or AAAA: missing "
        + "address")]
    [InlineData("m MX 1 mail.other.test\n",
        "4:6: warning: MX at m.example.com.: found mail.other.test.example.com., a name of this zone, without A or "
        + "AAAA: missing address, or the final dot of mail.other.test.")]
    [InlineData("@ NS ns1.other.test\n",
        "4:6: warning: NS at example.com.: found ns1.other.test.example.com., a name of this zone, without A or "
        + "AAAA: missing address, or the final dot of ns1.other.test.")]
    [InlineData("m MX 1 a.w\nb.w TXT x\n",
        "4:6: warning: MX at m.example.com.: found a.w.example.com., a name of this zone, without A or AAAA: missing "
        + "address")]
    [InlineData("www CNAME cdn.other.test\n",
        "4:11: warning: CNAME at www.example.com.: found cdn.other.test.example.com., a name of this zone that does "
        + "not exist: missing name, or the final dot of cdn.other.test.")]
    [InlineData("w.x CNAME web.example.com\nexample.com A 192.0.2.1\n",
        "4:11: warning: CNAME at w.x.example.com.: found web.example.com.example.com., a name of this zone that does "
        + "not exist: missing name, or the final dot of web.example.com.")]
    [InlineData("1 PTR host.other.test\n",
        "4:7: warning: PTR at 1.example.com.: found host.other.test.example.com., a name of this zone that does "
        + "not exist: missing name, or the final dot of host.other.test.")]
    [InlineData("*.a NS ns.other.test.\n",
        "4:1: warning: found NS at the wildcard *.a.example.com., expected none: it delegates no names "
        + "(RFC 4592 §4.2)")]
    [InlineData("* DNAME other.test.\n",
        "4:1: warning: found DNAME at the wildcard *.example.com., expected none: servers differ in what it redirects "
        + "(RFC 4592 §4.4)")]
    [InlineData("#a A 192.0.2.1\n",
        "4:1: warning: found an owner \"#a\" (comments begin with \";\")")]
    [InlineData("a TXT \"x\" # y z\n",
        "4:11: warning: found a string \"#\" (comments begin with \";\")")]
    [InlineData("a RRSIG A 8 3 300 21070101000000 20200101000000 1 example.com. AAAA\n",
        "4:19: warning: RRSIG: found the time 21070101000000, expected at most 21060207062815, the last of 32 bits "
        + "(RFC 4034 §3.1.5): 2^32 seconds earlier is meant")]
    [InlineData("_s._tcp SRV 0 0 1 srv\n",
        "4:13: warning: SRV at _s._tcp.example.com.: found srv.example.com., a name of this zone, without A or AAAA: "
        + "missing address")]
    [InlineData("_s._tcp SRV 0 0 1 c\nc CNAME d\nd A 192.0.2.1\n",
        "4:13: warning: SRV at _s._tcp.example.com.: found c.example.com., which is a CNAME, expected the name of a host")]
    [InlineData("m MX 1 192.0.2.1\n",
        "4:6: warning: MX at m.example.com.: found 192.0.2.1.example.com., an address, expected the name of a host")]
    [InlineData("sub NS 192.0.2.1.\n",
        "4:8: warning: NS at sub.example.com.: found 192.0.2.1., an address, expected the name of a host")]
    [InlineData("m MX 1 2001:db8::1.\n",
        "4:6: warning: MX at m.example.com.: found 2001:db8::1., an address, expected the name of a host")]
    [InlineData("a 5 A 192.0.2.1\nb A 192.0.2.1\na 5 A 192.0.2.2\na 7 A 192.0.2.3\n",
        "7:1: warning: found different TTLs for A at a.example.com., expected one: the lowest is used")]
    [InlineData("a A 192.0.2.1\nb A 192.0.2.1\nA A 192.0.2.1\na A 192.0.2.1\n",
        "6:1: warning: found A at a.example.com. again: the copy is left out\n"
        + "7:1: warning: found A at a.example.com. again: the copy is left out")]
    [InlineData("a RRSIG A 8 3 300 20300101000000 20200101000000 1 example.com. AAAA\n@ DNSKEY 257 3 13 AAAA\n",
        "5:1: warning: found a signed zone (DNSKEY at example.com.): negative answers and referrals are sent without "
        + "NSEC or NSEC3 records, validating resolvers reject them")]
    [InlineData("@ NSEC a NS SOA RRSIG NSEC\na NSEC @ NSEC\nb A 192.0.2.1\n",
        "2:1: warning: found no RRSIG over SOA at example.com., expected one (and 4 more): validating resolvers " +
            "reject some answers\n"
        +
        "6:1: warning: found no NSEC record for b.example.com., expected one: validating resolvers reject some " +
        "answers")]
    [InlineData(
        "@ NSEC b NS SOA RRSIG NSEC\nb NSEC c NSEC\n@ RRSIG SOA 13 2 300 20330101000000 20200101000000 1 @ AAAA\n"
        +
        "@ RRSIG NS 13 2 300 20330101000000 20200101000000 1 @ AAAA\n@ RRSIG NSEC 13 2 300 20330101000000 " +
        "20200101000000 1 @ AAAA\n"
        + "b RRSIG NSEC 13 3 300 20330101000000 20200101000000 1 @ AAAA\n",
        "5:1: warning: NSEC at b.example.com.: found c.example.com. as the next name, expected example.com.: "
        + "validating resolvers reject some answers")]
    [InlineData("@ NSEC3PARAM 1 0 0 -\n",
        "4:1: warning: found a signed zone (NSEC3PARAM at example.com.): negative answers and referrals are sent " +
            "without "
        + "NSEC or NSEC3 records, validating resolvers reject them")]
    [InlineData("a NS x.y.\na NS X.y.\n", "5:1: warning: found NS at a.example.com. again: the copy is left out")]
    [InlineData("@ SOA ns.other.test. host 1 2 3 4 5\n",
        "4:1: warning: found SOA at example.com. again: the copy is left out")]
    [InlineData("b.example.org. A 192.0.2.1\n",
        "4:1: warning: found b.example.org., expected a name in example.com.: the record is left out")]
    [InlineData("aexample.com. A 192.0.2.1\n",
        "4:1: warning: found aexample.com., expected a name in example.com.: the record is left out")]
    [InlineData("a 2147483648 A 192.0.2.1\n",
        "4:3: warning: found TTL 2147483648, expected at most 2147483647 (RFC 2181 §8): served as 0")]
    [InlineData("$TTL 4294967295\na A 192.0.2.1\n",
        "4:6: warning: found TTL 4294967295, expected at most 2147483647 (RFC 2181 §8): served as 0")]
    [InlineData("a WKS \\# 7 01020304060100\n",
        "4:7: warning: WKS: found a bitmap that ends with octets of 0: secondaries with BIND or Knot may reject "
        + "the zone")]
    [InlineData("a KEY 50688 3 13 eA==\n",
        "4:7: warning: KEY: found a key, although its flags say that there is none (RFC 2535 §3.1.2): secondaries with "
        + "BIND or Knot may reject the zone")]
    [InlineData("a NAPTR 1 1 u E2U+sip !a! .\n",
        "4:9: warning: NAPTR: found a REGEXP field that is no substitution expression (RFC 3402 §3.2): secondaries "
        + "with BIND or Knot may reject the zone")]
    [InlineData("d DNAME e.test.\nm MX 1 x.d\n",
        "5:6: warning: MX at m.example.com.: found x.d.example.com., which is below a DNAME, expected the name of a host")]
    [InlineData("d DNAME e.test.\nd A 192.0.2.1\nm MX 1 d\n MX 2 d.example.com.d\n",
        "7:5: warning: MX at m.example.com.: found d.example.com.d.example.com., which is below a DNAME, expected the name of a host")]
    public void A_zone_that_looks_wrong_is_served_with_a_warning(string text, string expected)
    {
        ZoneLoadResult result = _folder.Load(ZoneFolder.Start + text);
        Assert.Equal(expected, _folder.Describe(result.Diagnostics));
        Assert.NotNull(result.Zone);
    }

    [Theory]
    [InlineData("host@b.", "2:12: warning: SOA: found the mailbox host@b., expected a dot in place of @ (RFC 1035 §8)")]
    [InlineData("@", "")]
    [InlineData("host.b.", "")]
    public void A_mailbox_with_an_at_sign_is_warned_of(string mailbox, string expected) =>
        Assert.Equal(expected, _folder.Check($"\n@ 1 SOA a. {mailbox} 1 2 3 4 5\n@ 1 NS a.\n"));

    [Fact]
    public void Diagnostic_about_the_whole_zone_carries_the_line_of_the_SOA() =>
        Assert.Equal(
            "2:1: warning: found no NS at the apex example.com., expected at least one",
            _folder.Check("\n@ 1 SOA a. b. 1 2 3 4 5\na A 192.0.2.1\n"));

    [Fact]
    public void Nothing_is_missing_where_not_everything_could_be_read() =>
        Assert.Equal([2, 5], _folder
            .Load("$TTL 1\n@ 1x SOA a. b. 1 2 3 4 5\nsub NS ns.sub\na CNAME b\na A 192.0.2.1\n")
            .Diagnostics.Select(diagnostic => diagnostic.Line));

    [Fact]
    public void A_record_is_found_where_its_owner_is_and_its_RDATA_where_that_begins() =>
        Assert.Equal(
            "5:2: warning: found A at a.example.com. again: the copy is left out\n"
            +
            "7:5: warning: MX at m.example.com.: found ns.example.com., which is a CNAME, expected the name of a host",
            _folder.Check(ZoneFolder.Start + "a A 192.0.2.1\n A 192.0.2.1\nm MX (\n    1 ns )\nns CNAME b.\n"));

    [Fact]
    public void What_is_generated_is_found_at_its_directive() =>
        Assert.Equal(
            "4:1: warning: MX at a.example.com.: found 192.0.2.1., an address, expected the name of a host\n"
            + "4:1: warning: found MX at a.example.com. again: the copy is left out",
            _folder.Check(ZoneFolder.Start + "$GENERATE 1-2 a MX 1 192.0.2.1.\n"));

    [Fact]
    public void Lines_are_found_in_included_files_too()
    {
        string one = _folder.Write("one", "\na A 192.0.2.1\n");
        Assert.Equal(
            $"{one}:2:1: error: found other data beside the CNAME at a.example.com., expected only the CNAME",
            _folder.Check(ZoneFolder.Start + "a CNAME b\n$INCLUDE one\n"));
    }

    [Fact]
    public void A_large_TTL_is_served_as_0()
    {
        Zone zone = _folder.Load(ZoneFolder.Start + "a 4000000000 A 192.0.2.1\n").Zone!;
        Assert.Equal(0u, Ttl(zone, "a.example.com"));
    }

    [Fact]
    public void The_lowest_of_mixed_TTLs_is_served()
    {
        Zone zone = _folder.Load(ZoneFolder.Start + "a 9 A 192.0.2.1\na 5 A 192.0.2.2\n").Zone!;
        Assert.Equal(5u, Ttl(zone, "a.example.com"));
    }

    [Fact]
    public void Warnings_beyond_a_thousand_are_counted()
    {
        IReadOnlyList<ZoneDiagnostic> diagnostics =
            _folder.Load(ZoneFolder.Start + "$GENERATE 1-1500 a$ NS b$\n").Diagnostics;
        Assert.Equal(1001, diagnostics.Count);
        Assert.Equal("... and 500 more warnings", diagnostics[^1].Message);
    }

    [Fact]
    public void An_RRset_of_twenty_thousand_records_is_served() =>
        Assert.Equal(20_002, _folder.Load(ZoneFolder.Start + "$GENERATE 1-20000 a TXT $\n").Zone!.RecordCount);

    [Theory]
    [InlineData("a TXT 1\na TXT 2\na TXT 3\n", "")]
    [InlineData("a TXT 1\na TXT 2\na TXT 3\na TXT 2\n",
        "7:1: warning: found TXT at a.example.com. again: the copy is left out")]
    [InlineData("a TXT 1\na TXT 2\na TXT 3\na A 192.0.2.1\na A 192.0.2.2\n", "")]
    [InlineData("a TXT 1\nb A 192.0.2.1\na TXT 2\na TXT 3\na TXT 4\n",
        "4:1: error: found TXT at a.example.com. more than 3 times, expected at most so many records of a type")]
    public void The_records_of_a_type_are_limited(string text, string expected)
    {
        ZoneLoadResult result = _folder.Load(ZoneFolder.Start + text, limits: new ZoneLimits(3, 100));
        Assert.Equal(expected, _folder.Describe(result.Diagnostics));
        Assert.Equal(expected.Contains("error"), result.Zone is null);
    }

    [Theory]
    [InlineData("a TYPE65280 \\# 0\na TYPE65281 \\# 0\na TYPE65282 \\# 0\n", "")]
    [InlineData(
        "a A 192.0.2.1\na AAAA ::1\na TXT 1\na RRSIG A 8 3 300 20300101000000 20200101000000 1 example.com. AAAA\n"
        + "a RRSIG TXT 8 3 300 20300101000000 20200101000000 1 example.com. AAAA\n"
        + "a RRSIG AAAA 8 3 300 20300101000000 20200101000000 1 example.com. AAAA\n"
        + "a RRSIG AAAA 8 3 300 20300101000000 20200101000000 2 example.com. AAAA\n", "")]
    [InlineData(
        "a RRSIG A 8 3 300 20300101000000 20200101000000 1 example.com. AAAA\n"
        + "a RRSIG MX 8 3 300 20300101000000 20200101000000 1 example.com. AAAA\n"
        + "a RRSIG TXT 8 3 300 20300101000000 20200101000000 1 example.com. AAAA\n"
        + "a RRSIG NS 8 3 300 20300101000000 20200101000000 1 example.com. AAAA\n",
        "4:1: error: found RRSIG at a.example.com. for more than 3 types, expected at most so many at a name")]
    [InlineData("a A 192.0.2.1\nb A 192.0.2.1\na AAAA ::1\na TXT 1\na TYPE65280 \\# 0\na TYPE65281 \\# 0\n",
        "8:1: error: found TYPE65280 at a.example.com. beside 3 other types, expected at most 3 types at a name")]
    public void The_types_of_a_name_are_limited(string text, string expected)
    {
        ZoneLoadResult result = _folder.Load(ZoneFolder.Start + text, limits: new ZoneLimits(65_535, 3));
        Assert.Equal(expected, _folder.Describe(result.Diagnostics));
        Assert.Equal(expected.Contains("error"), result.Zone is null);
    }

    [Fact]
    public void A_hundred_types_at_a_name_are_served_and_one_more_is_not()
    {
        string hundred =
            ZoneFolder.Start + string.Concat(Enumerable.Range(65_280, 100).Select(type => $"a TYPE{type} \\# 0\n"));
        Assert.Equal(102, _folder.Load(hundred).Zone!.RecordCount);
        Assert.Null(_folder.Load(hundred + "a TYPE65380 \\# 0\n").Zone);
    }

    [Theory]
    [InlineData("", false)]
    [InlineData("a RRSIG A 8 3 300 20300101000000 20200101000000 1 example.com. AAAA\n", false)]
    [InlineData("@ NSEC a NS SOA\n", true)]
    [InlineData("@ DNSKEY 257 3 13 AAAA\n", true)]
    [InlineData("@ RRSIG SOA 13 2 300 20300101000000 20200101000000 1 example.com. AAAA\n", true)]
    public void A_zone_with_DNSSEC_records_at_its_apex_is_signed(string text, bool isSigned) =>
        Assert.Equal(isSigned, _folder.Load(ZoneFolder.Start + text).Zone!.IsSigned);

    private static uint Ttl(Zone zone, string name)
    {
        var lookup = default(LookupName);
        lookup.Set(DomainName.Parse(name).Octets);
        Assert.True(zone.TryFind(in lookup, 0, out ZoneNode node));
        Assert.True(node.TryFind(RRType.A, out RRset rrset));
        return rrset.Ttl;
    }
}
