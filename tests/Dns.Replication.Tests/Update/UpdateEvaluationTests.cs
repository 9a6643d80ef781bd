using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>What an update makes of a zone: RFC 2136 §3.2 and §3.4.</summary>
public class UpdateEvaluationTests
{
    private const string Records = """
        $TTL 300
        @ SOA ns hostmaster 42 3600 600 86400 60
        @ NS ns
        ns A 192.0.2.1
        www A 192.0.2.2
        www A 192.0.2.3
        www TXT "x"
        alias CNAME www
        a.deep A 192.0.2.4
        mail MX 10 Ns
        service WKS 192.0.2.2 6 25
        service WKS 192.0.2.2 6 80
        service WKS 192.0.2.3 6 25
        """;

    private static readonly UpdateOptions NoLimit =
        new() { MaxRRsetOctets = long.MaxValue, MaxNameOctets = long.MaxValue, MaxRecordsOfType = int.MaxValue };

    private readonly Zone _zone = ZoneText.Load("z.test", Records);

    [Theory]
    [InlineData("yxdomain www", Rcode.NoError)]
    [InlineData("yxdomain missing", Rcode.NXDomain)]
    [InlineData("yxdomain deep", Rcode.NXDomain)]
    [InlineData("nxdomain missing", Rcode.NoError)]
    [InlineData("nxdomain deep", Rcode.NoError)]
    [InlineData("nxdomain www", Rcode.YXDomain)]
    [InlineData("yxrrset www A", Rcode.NoError)]
    [InlineData("yxrrset www AAAA", Rcode.NXRRSet)]
    [InlineData("yxrrset missing A", Rcode.NXRRSet)]
    [InlineData("nxrrset www AAAA", Rcode.NoError)]
    [InlineData("nxrrset missing A", Rcode.NoError)]
    [InlineData("nxrrset www A", Rcode.YXRRSet)]
    [InlineData("yxrrset www A 192.0.2.2|yxrrset www A 192.0.2.3", Rcode.NoError)]
    [InlineData("yxrrset www A 192.0.2.3|yxrrset WWW A 192.0.2.2", Rcode.NoError)]
    [InlineData("yxrrset www A 192.0.2.2", Rcode.NXRRSet)]
    [InlineData("yxrrset www A 192.0.2.2|yxrrset www A 192.0.2.9", Rcode.NXRRSet)]
    [InlineData("yxrrset www A 192.0.2.2|yxrrset www A 192.0.2.3|yxrrset www A 192.0.2.4", Rcode.NXRRSet)]
    [InlineData("yxrrset mail MX 10 NS", Rcode.NoError)]
    [InlineData("yxrrset mail MX 20 ns", Rcode.NXRRSet)]
    [InlineData("yxdomain www|nxdomain www", Rcode.YXDomain)]
    public void A_prerequisite_holds_or_says_what_does_not(string prerequisites, Rcode expected)
    {
        Assert.Equal(expected, Evaluate(prerequisites + "|add new 60 A 192.0.2.9", out ZoneDelta? delta));
        Assert.Equal(expected == Rcode.NoError, delta is not null);
    }

    public static TheoryData<string, string> Changes => new()
    {
        { "add new 60 A 192.0.2.9", "+new 60 A 192.0.2.9" },
        { "add www 300 A 192.0.2.9", "+www 300 A 192.0.2.9" },
        { "add www 300 A 192.0.2.2", "" },
        // The TTL of an RRset is one, and that which was given last.
        { "add www 60 A 192.0.2.2",
            "-www 300 A 192.0.2.2|-www 300 A 192.0.2.3|+www 60 A 192.0.2.2|+www 60 A 192.0.2.3" },
        { "delete www A", "-www 300 A 192.0.2.2|-www 300 A 192.0.2.3" },
        { "delete WWW A 192.0.2.2", "-www 300 A 192.0.2.2" },
        { "delete www A 192.0.2.9", "" },
        { "delete www", "-www 300 A 192.0.2.2|-www 300 A 192.0.2.3|-www 300 TXT \"x\"" },
        { "delete missing", "" },
        { "delete www A|add www 300 A 192.0.2.2", "-www 300 A 192.0.2.3" },
        { "add new 60 A 192.0.2.9|delete new", "" },
        { "delete mail MX 10 nS", "-mail 300 MX 10 Ns.z.test." },
        // CNAME and other data (§3.4.2.2): a conflicting record is ignored, and the rest is done.
        { "add alias 60 A 192.0.2.9", "" },
        { "add www 60 CNAME ns", "" },
        { "add alias 60 KEY 512 3 13 AAAA", "" },
        { "add keyed 60 KEY 512 3 13 AAAA|add keyed 60 CNAME ns", "+keyed 60 KEY 512 3 13 AAAA" },
        { "add www 60 CNAME ns|add new 60 A 192.0.2.9", "+new 60 A 192.0.2.9" },
        { "add alias 60 CNAME ns", "-alias 300 CNAME www.z.test.|+alias 60 CNAME ns.z.test." },
        { "delete www|add www 60 CNAME ns",
            "-www 300 A 192.0.2.2|-www 300 A 192.0.2.3|-www 300 TXT \"x\"|+www 60 CNAME ns.z.test." },
        { "add alias 60 NSEC www A", "+alias 60 NSEC www.z.test. A" },
        // SOA and NS of the zone itself.
        { "delete @", "" },
        { "delete @ NS", "" },
        { "delete @ SOA", "" },
        { "delete @ NS ns", "" },
        { "add @ 300 NS ns2|delete @ NS ns", "-@ 300 NS ns.z.test.|+@ 300 NS ns2.z.test." },
        { "delete @ NS ns|add @ 300 NS ns2", "+@ 300 NS ns2.z.test." },
        { "delete @ SOA ns hostmaster 42 3600 600 86400 60", "" },
        { "add www 300 SOA ns hostmaster 99 3600 600 86400 60", "" },
        { "add www 60 RESINFO qnamemin|add www 60 RESINFO temp", "+www 60 RESINFO \"temp\"" },
        { "add www 60 DNAME other.test.|add www 60 DNAME another.test.", "+www 60 DNAME another.test." },
        { "add www 60 WKS 192.0.2.2 6 25|add www 60 WKS 192.0.2.2 6 80|add www 60 WKS 192.0.2.2 17 53",
            "+www 60 WKS 192.0.2.2 6 80|+www 60 WKS 192.0.2.2 17 53" },
        { "add service 300 WKS 192.0.2.2 6 53", "-service 300 WKS 192.0.2.2 6 25|-service 300 WKS 192.0.2.2 6 80"
            + "|+service 300 WKS 192.0.2.2 6 53" },
        { "delete service WKS 192.0.2.2 6 25|add service 300 WKS 192.0.2.2 6 25",
            "-service 300 WKS 192.0.2.2 6 80" },
        { "delete service WKS|add service 300 WKS 192.0.2.2 6 80",
            "-service 300 WKS 192.0.2.2 6 25|-service 300 WKS 192.0.2.3 6 25" },
        { "add cut 60 NS ns.cut|add ns.cut 60 A 192.0.2.9", "+cut 60 NS ns.cut.z.test.|+ns.cut 60 A 192.0.2.9" },
    };

    [Theory, MemberData(nameof(Changes))]
    public void An_update_changes_what_it_says_and_no_more(string updates, string expected)
    {
        Assert.Equal(Rcode.NoError, Evaluate(updates, out ZoneDelta? delta));
        if (expected.Length == 0)
        {
            Assert.Null(delta);
            return;
        }
        Assert.Equal(expected.Split('|').Order(StringComparer.Ordinal), Text(delta!).Order(StringComparer.Ordinal));
        Assert.Equal((42u, 43u), (delta!.SerialFrom, delta.SerialTo));
        ZoneEditResult edited = ZoneEditor.From(_zone).Apply(delta);
        Assert.True(edited.IsApplied, edited.Error?.Message);
        Assert.Equal(43u, edited.Zone.Serial);
        // A repetition has no effect, unless it removes what it has just added.
        if (!updates.Contains('|')) Assert.Null(Again(edited.Zone, updates));
    }

    [Theory]
    [InlineData(42u, null)]
    [InlineData(41u, null)]
    [InlineData(43u, 43u)]
    [InlineData(1000u, 1000u)]
    [InlineData(42u + 0x7FFFFFFF, 42u + 0x7FFFFFFF)]
    [InlineData(42u + 0x80000000, null)]
    public void A_serial_that_is_given_only_goes_forward(uint serial, uint? expected)
    {
        Evaluate($"add @ 300 SOA ns hostmaster {serial} 3600 600 86400 60", out ZoneDelta? delta);
        Assert.Equal(expected, delta?.SerialTo);
        Evaluate($"add @ 300 SOA ns hostmaster {serial} 3600 600 86400 60|add new 60 A 192.0.2.9", out delta);
        Assert.Equal(expected ?? 43, delta!.SerialTo);
    }

    [Fact]
    public void The_serial_goes_round_without_zero()
    {
        Zone zone = ZoneText.Load("z.test", Records.Replace(" 42 ", " 4294967295 "));
        Assert.Equal(1u, Again(zone, "add new 60 A 192.0.2.9")!.SerialTo);
    }

    [Fact]
    [Trait("RFC", "4034-3")]
    public void Signatures_of_several_types_are_RRsets_of_their_own()
    {
        const string Times = "20301205122759 20261123015209 1 @ AAAA";
        Zone zone = ZoneText.Load("z.test",
            $"{Records}\nsigned 300 A 192.0.2.9\nsigned 60 TXT \"x\"\nsigned 300 RRSIG A 13 3 300 {Times}\n" +
            $"signed 60 RRSIG TXT 13 3 60 {Times}\n");
        Assert.Equal(["+signed 300 MX 10 ns.z.test."], Text(Again(zone, "add signed 300 MX 10 ns")!));
        string text = $"60 RRSIG TXT 13 3 60 {Times.Replace("@", "z.test.")}";
        Assert.Equal([$"-signed {text}"], Text(Again(zone, $"delete signed RRSIG TXT 13 3 60 {Times}")!));
        Assert.Equal(2, Again(zone, "delete signed RRSIG")!.Removed.Count - 1);
        Assert.Equal([$"-signed {text}", $"+signed {text.Replace("60 RRSIG", "61 RRSIG")}"],
            Text(Again(zone, $"add signed 61 RRSIG TXT 13 3 60 {Times}")!));
    }

    [Fact]
    public void An_update_of_ten_thousand_records_of_one_name_takes_no_more_than_its_records()
    {
        Zone zone = ZoneText.Load("z.test",
            Records + "\n" + string.Join('\n', Enumerable.Range(0, 20000).Select(i => $"big TXT \"{i}\"")));
        string[] lines = [.. Enumerable.Range(0, 2500).Select(i => $"add big {i + 1} TXT \"n{i}\"")];
        Assert.Equal(Rcode.NoError,
            UpdateEvaluation.Evaluate(zone, Read(UpdateText.Message("z.test", lines)), NoLimit,
                out UpdateChange change));
        // Every TTL was another, and the last one counts for all.
        Assert.Equal((20001, 22501), (change.Delta!.Removed.Count, change.Delta.Added.Count));
    }

    [Fact]
    public void Thousands_of_services_of_one_name_are_not_compared_each_with_each()
    {
        IEnumerable<string> existing = Enumerable.Range(0, 5000).Select(i => $"big WKS 198.51.{i >> 8}.{i & 255} 6 25");
        Zone zone = ZoneText.Load("z.test", Records + "\n" + string.Join('\n', existing));
        string[] lines =
            [.. Enumerable.Range(4000, 2500).Select(i => $"add big 300 WKS 198.51.{i >> 8}.{i & 255} 6 7")];
        UpdateMessage message = Read(UpdateText.Message("z.test", lines));
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(Rcode.NoError, UpdateEvaluation.Evaluate(zone, message, NoLimit, out UpdateChange change));
        // The SOA is replaced, too. A list of all services for each one that is added takes 200 MB.
        Assert.Equal((1001, 2501), (change.Delta!.Removed.Count, change.Delta.Added.Count));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 20 << 20);
    }

    [Theory]
    [InlineData("add big 300 TXT 100", Rcode.Refused)]
    [InlineData("delete big TXT 0|add big 300 TXT 100|add big 300 TXT 101", Rcode.Refused)]
    [InlineData("delete big TXT 0|add big 300 TXT z", Rcode.NoError)]
    [InlineData("add big 60 TXT 0", Rcode.NoError)]
    [InlineData("delete big TXT 0", Rcode.NoError)]
    [InlineData("add big 300 MX 10 ns", Rcode.NoError)]
    [InlineData("add other 300 TXT x", Rcode.NoError)]
    public void An_update_enlarges_no_RRset_beyond_what_a_message_can_hold(string lines, Rcode expected)
    {
        Zone zone = ZoneText.Load("z.test",
            Records + "\n" + string.Join('\n', Enumerable.Range(0, 20).Select(i => $"big TXT {i}")));
        UpdateMessage message = Read(UpdateText.Message("z.test", lines.Split('|')));
        UpdateOptions limits = new() { MaxRRsetOctets = 100 };
        Assert.Equal(expected, UpdateEvaluation.Evaluate(zone, message, limits, out UpdateChange change));
        Assert.Equal(expected == Rcode.NoError, change is { Delta: not null, Fault: null });
        if (expected == Rcode.Refused)
            Assert.Equal("its TXT records at big.z.test. would have more than 100 octets, which a message "
                + "with signatures may not hold", TextOf(change));
        limits = limits with { MaxRRsetOctets = 10_000 };
        Assert.Equal(Rcode.NoError, UpdateEvaluation.Evaluate(zone, message, limits, out _));
    }

    [Theory]
    [InlineData("@", RRType.DNSKEY, 48, Rcode.NoError)]
    [InlineData("@", RRType.DNSKEY, 49, Rcode.Refused)]
    [InlineData("@", RRType.TXT, 59, Rcode.NoError)]
    [InlineData("www", RRType.TXT, 61, Rcode.Refused)]
    public void By_default_an_RRset_that_an_update_enlarges_has_room_for_signatures(
        string owner, RRType type, int kilobytes, Rcode expected)
    {
        List<string> lines = [];
        for (int i = 0; i < kilobytes; i++)
        {
            byte[] rdata = new byte[1012];
            if (type == RRType.DNSKEY) (rdata[0], rdata[2], rdata[3]) = (1, 3, 8);
            for (int at = 0; type == RRType.TXT && at < rdata.Length; at += 253) rdata[at] = 252;
            rdata[^1] = (byte)i;
            lines.Add($"add {owner} 300 {type} \\# {rdata.Length} {Convert.ToHexString(rdata)}");
        }
        UpdateMessage message = Read(UpdateText.Message("z.test", [.. lines]));
        Zone zone = ZoneText.Load("z.test", Records);
        Assert.Equal(expected, UpdateEvaluation.Evaluate(zone, message, new UpdateOptions(), out _));
    }

    [Theory]
    [InlineData("add www 300 TXT 12345678", Rcode.NoError)]
    [InlineData("add www 300 TXT 123456789", Rcode.Refused)]
    [InlineData("add large 600 TXT more", Rcode.NoError)]
    [InlineData("add large 300 TXT 1234567890123", Rcode.Refused)]
    [InlineData("delete large TXT 123456789012", Rcode.NoError)]
    public void An_update_adds_no_record_that_a_transfer_with_TSIG_cannot_hold(string lines, Rcode expected)
    {
        Zone zone = ZoneText.Load("z.test", Records + "\nlarge TXT 123456789012");
        AssertLimited(zone, lines, new() { MaxRdataOctets = 9 }, expected,
            @"^a TXT record at \w+\.z\.test\. would have more than 9 octets of RDATA, which a transfer with TSIG");
        Assert.Equal(64_624, new UpdateOptions().MaxRdataOctets);
    }

    [Theory]
    [InlineData("add www 300 A 192.0.2.4", Rcode.NoError)]
    [InlineData("add www 300 A 192.0.2.4|add www 300 A 192.0.2.5", Rcode.Refused)]
    [InlineData("add www 300 A 192.0.2.4|delete www A 192.0.2.2|add www 300 A 192.0.2.5", Rcode.NoError)]
    [InlineData("add many 300 A 192.0.2.5", Rcode.Refused)]
    [InlineData("delete many A 192.0.2.1|add many 300 A 192.0.2.5", Rcode.NoError)]
    [InlineData("delete many A 192.0.2.1", Rcode.NoError)]
    public void An_update_adds_no_record_beyond_the_number_that_other_servers_take(string lines, Rcode expected)
    {
        Zone zone = ZoneText.Load("z.test",
            Records + "\n" + string.Join('\n', Enumerable.Range(1, 4).Select(i => $"many A 192.0.2.{i}")));
        AssertLimited(zone, lines, new() { MaxRecordsOfType = 3 }, expected,
            @"^it would have more than 3 A records at \w+\.z\.test\. \(Dns:MaxRecordsPerType\)$");
    }

    [Theory]
    [InlineData("add www 300 AAAA ::1", Rcode.NoError)]
    [InlineData("add www 300 AAAA ::1|add www 300 MX 1 ns", Rcode.Refused)]
    [InlineData("add www 300 AAAA ::1|delete www TXT x|add www 300 MX 1 ns", Rcode.NoError)]
    [InlineData("add many 300 MX 1 ns", Rcode.Refused)]
    [InlineData("add many 300 A 192.0.2.5", Rcode.NoError)]
    public void An_update_adds_no_type_beyond_the_number_that_other_servers_take(string lines, Rcode expected)
    {
        Zone zone = ZoneText.Load("z.test", Records
            + "\n" + "many A 192.0.2.1\nmany AAAA ::1\nmany TXT x\nmany LOC 1 N 1 E 1\n");
        AssertLimited(zone, lines, WithTypes(8), expected,
            @"^it would have records of more than 3 types at \w+\.z\.test\. \(Dns:MaxTypesPerName\)$");
    }

    private static void AssertLimited(Zone zone, string lines, UpdateOptions limits, Rcode expected, string refusal)
    {
        UpdateMessage message = Read(UpdateText.Message("z.test", lines.Split('|')));
        Assert.Equal(expected, UpdateEvaluation.Evaluate(zone, message, limits, out UpdateChange change));
        if (expected == Rcode.Refused) Assert.Matches(refusal, TextOf(change));
    }

    [Fact]
    public void The_limits_of_an_update_are_those_of_BIND()
    {
        UpdateOptions limits = new();
        Assert.Equal((100, 48, 40), (limits.MaxRecordsOfType, limits.MaxTypesOfName, limits.MaxTypesOfApex));
        Assert.InRange(limits.MaxKeysOfType + 20, 0, 100);
    }

    [Fact]
    public void With_any_limit_of_types_there_is_room_for_signing()
    {
        // BIND counts NSEC and the signatures of each type, too; at the apex there are five more types.
        for (int types = 4; types <= 1000; types++)
            Assert.InRange((WithTypes(types).MaxTypesOfName + 1) * 2, types * 9 / 10 - 2, types);
        for (int types = 16; types <= 1000; types++)
            Assert.InRange((WithTypes(types).MaxTypesOfApex + 6) * 2, 0, types);
        Assert.Equal((1, 2), (WithTypes(1).MaxTypesOfName, WithTypes(1).MaxTypesOfApex));
        Assert.Equal((72, 60), (WithTypes(150).MaxTypesOfName, WithTypes(150).MaxTypesOfApex));
        Assert.Equal(31456, WithTypes(ZoneLimits.Most).MaxTypesOfName);
    }

    private static UpdateOptions WithTypes(int types) =>
        new() { Limits = ZoneLimits.Default with { TypesPerName = types } };

    [Theory]
    [InlineData(4, RRType.DNSKEY, Rcode.NoError)]
    [InlineData(5, RRType.DNSKEY, Rcode.Refused)]
    [InlineData(5, RRType.CDS, Rcode.Refused)]
    [InlineData(5, RRType.TXT, Rcode.NoError)]
    [InlineData(6, RRType.TXT, Rcode.Refused)]
    public void At_the_apex_there_is_room_for_the_keys_of_the_server(int records, RRType type, Rcode expected)
    {
        string[] lines =
        [
            .. from number in Enumerable.Range(0, records)
               let rdata = type switch
               {
                   RRType.DNSKEY => $"256 3 13 AA{number}A",
                   RRType.CDS => $"1 13 2 {number:x64}",
                   _ => $"{number}",
               }
               select $"add @ 300 {type} {rdata}",
        ];
        AssertLimited(_zone, string.Join('|', lines), new() { MaxRecordsOfType = 5 }, expected, "more than [45] ");
    }

    [Theory]
    [InlineData("add @ 300 A 192.0.2.1|add @ 300 TXT x|add @ 300 MX 1 ns", Rcode.NoError)]
    [InlineData("add @ 300 A 192.0.2.1|add @ 300 TXT x|add @ 300 MX 1 ns|add @ 300 AAAA ::1", Rcode.Refused)]
    [InlineData("add www 300 AAAA ::1|add www 300 MX 1 ns|add www 300 LOC 1 N 1 E 1|add www 300 PTR x", Rcode.NoError)]
    public void At_the_apex_there_is_room_for_the_types_of_signing(string lines, Rcode expected)
    {
        AssertLimited(_zone, lines, WithTypes(22), expected, "more than 5 types at z.test.");
    }

    [Theory]
    [InlineData("add www 300 TXT yyy", Rcode.NoError)]
    [InlineData("add www 300 TXT yyyy", Rcode.Refused)]
    [InlineData("add www 300 TXT yyyy|delete www TXT x", Rcode.NoError)]
    [InlineData("add other 300 TXT yyyy", Rcode.NoError)]
    public void An_update_enlarges_no_name_beyond_the_limit_of_all_its_types(string lines, Rcode expected)
    {
        // Two addresses and a text, each with 12 octets, and one more text.
        UpdateOptions limits = new() { MaxNameOctets = 2 * 16 + 14 + 16 };
        UpdateMessage message = Read(UpdateText.Message("z.test", lines.Split('|')));
        Assert.Equal(expected, UpdateEvaluation.Evaluate(_zone, message, limits, out UpdateChange change));
        Assert.Equal(expected == Rcode.NoError ? null : "its records at www.z.test. would have more than 62 octets",
            TextOf(change));
        // What is larger already may shrink.
        limits = limits with { MaxNameOctets = 20 };
        message = Read(UpdateText.Message("z.test", "delete www TXT x"));
        Assert.Equal(Rcode.NoError, UpdateEvaluation.Evaluate(_zone, message, limits, out _));
    }

    [Theory]
    [InlineData("delete www TXT x|delete ns TXT x", 62, Rcode.NoError)]
    [InlineData("delete www TXT x|delete ns TXT x", 61, Rcode.Refused)]
    [InlineData("delete ns TXT x|delete www TXT x", 61, Rcode.Refused)]
    [InlineData("delete www TXT x|delete www A 192.0.2.2", 10, Rcode.NoError)]
    public void The_names_of_an_update_have_a_limit_together(string lines, long most, Rcode expected)
    {
        UpdateMessage message = Read(UpdateText.Message("z.test", lines.Split('|')));
        UpdateOptions limits = new() { MaxMessageOctets = most };
        Assert.Equal(expected, UpdateEvaluation.Evaluate(_zone, message, limits, out UpdateChange change));
        Assert.Equal(expected == Rcode.NoError ? null
            : "its names have more than 61 octets of records: fewer at a time can be changed", TextOf(change));
    }

    [Fact]
    public void The_size_of_a_change_is_that_of_the_records_it_reads_and_changes()
    {
        Zone zone = ZoneText.Load("z.test",
            Records + "\n" + string.Join('\n', Enumerable.Range(0, 1000).Select(i => $"big TXT \"{i:d100}\"")));
        Assert.InRange(OctetsOf("add other 60 A 192.0.2.9"), 100, 5000);
        string below = string.Concat(Enumerable.Repeat("a.", 99));
        // Each label of a new name is work, too.
        Assert.InRange(OctetsOf($"add {below}n 60 A 192.0.2.9"), 51_200, 56_000);
        Assert.InRange(OctetsOf("add big 300 MX 10 ns"), 100_000, 150_000);
        Assert.InRange(OctetsOf("add big 60 TXT x"), 300_000, 600_000);

        long OctetsOf(string line)
        {
            UpdateMessage message = Read(UpdateText.Message("z.test", line));
            UpdateEvaluation.Evaluate(zone, message, NoLimit, out UpdateChange change);
            return change.Octets;
        }
    }

    private Rcode Evaluate(string lines, out ZoneDelta? delta)
    {
        UpdateMessage message = Read(UpdateText.Message("z.test", lines.Split('|')));
        Rcode rcode = UpdateEvaluation.Evaluate(_zone, message, NoLimit, out UpdateChange change);
        delta = change.Delta;
        return rcode;
    }

    private static ZoneDelta? Again(Zone zone, string lines)
    {
        UpdateMessage message = Read(UpdateText.Message("z.test", lines.Split('|')));
        Assert.Equal(Rcode.NoError, UpdateEvaluation.Evaluate(zone, message, NoLimit, out UpdateChange change));
        return change.Delta;
    }

    private static UpdateMessage Read(byte[] octets)
    {
        Assert.True(UpdateMessage.TryReadZone(octets, out DomainName? zone, out _));
        Assert.Equal(Rcode.NoError, UpdateMessage.Read(octets, zone, out UpdateMessage? message));
        return message!;
    }

    /// <summary>A delta as text, without the SOA that gives it its serial.</summary>
    private static IEnumerable<string> Text(ZoneDelta delta)
    {
        List<string> lines = [];
        foreach (RecordList.ListedRecord record in delta.Removed) Add('-', record);
        foreach (RecordList.ListedRecord record in delta.Added) Add('+', record);
        return lines;

        void Add(char sign, RecordList.ListedRecord record)
        {
            if (record.Type == RRType.SOA) return;
            string owner = NameText.ToText(record.Owner).Replace(".z.test.", "", StringComparison.OrdinalIgnoreCase)
                .ToLowerInvariant();
            string rdata = Rdata.Format(record.Type, record.Rdata);
            lines.Add($"{sign}{(owner == "z.test." ? "@" : owner)} {record.Ttl} {record.Type} {rdata}");
        }
    }

    private static string? TextOf(UpdateChange change) =>
        change.Fault is { } fault ? ZoneWriteFaultText.Of(fault) : null;
}
