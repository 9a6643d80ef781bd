using System.Buffers.Binary;
using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public class BuildingTests(ITestOutputHelper output)
{
    [Fact]
    public void Records_in_any_order_make_the_same_zone()
    {
        int seed = GeneratedZone.Setting("DNS_FUZZ_SEED", Environment.TickCount);
        output.WriteLine($"DNS_FUZZ_SEED={seed}");
        Random random = new(seed);
        for (int left = GeneratedZone.Setting("DNS_FUZZ_CASES", 1000); left > 0; left--)
        {
            GeneratedRecord[] records = [.. GeneratedZone.NextRecords(random)];
            string sorted = GeneratedZone
                .Describe(GeneratedZone.Build(records.OrderBy(record => record.Owner, StringComparer.Ordinal)));
            random.Shuffle(records);
            string shuffled = GeneratedZone.Describe(GeneratedZone.Build(records));
            Assert.True(sorted == shuffled, $"DNS_FUZZ_SEED={seed}\n{sorted}\n\n{shuffled}");
        }
    }

    [Fact]
    public void Late_records_join_their_rrset()
    {
        Zone zone =
            GeneratedZone.Build([Address("a", 1), Address("b", 2), Address("a", 3), Address("b", 4), Address("a", 5)]);
        Assert.Equal(["1", "3", "5"], Addresses(zone, "a"));
        Assert.Equal(["2", "4"], Addresses(zone, "b"));
        Assert.Equal(5, zone.RecordCount);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void More_data_than_a_name_can_have_is_refused_and_not_collected(bool isLate)
    {
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex), limits: new ZoneLimits(65_535, 100));
        byte[] owner = WireOctets.Name("a.z.test"), rdata = new byte[60_000];
        if (isLate)
        {
            builder.Add(owner, false, RRType.TXT, 60, [1, (byte)'x']);
            builder.Add(WireOctets.Name("b.z.test"), false, RRType.TXT, 60, [1, (byte)'x']);
        }
        for (int i = 0; i < 2000; i++)
        {
            BinaryPrimitives.WriteInt32BigEndian(rdata, i);
            builder.Add(owner, i > 0, RRType.NULL, 60, rdata);
        }
        long octets = builder.Build().MemoryBytes;
        Assert.InRange(octets, 59L << 20, 64L << 20);
        Assert.All(builder.Notes, note =>
            Assert.Equal((ZoneBuildDiagnosticKind.TooMuchData, RRType.NULL), (note.Kind, note.Type)));
        Assert.InRange(builder.Notes.Count, 1, 3);
    }

    [Fact]
    public void A_late_record_after_too_many_equal_ones_is_an_error()
    {
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex), limits: new ZoneLimits(65_535, 100));
        byte[] owner = WireOctets.Name("a.z.test"), other = WireOctets.Name("b.z.test"), rdata = new byte[60_000];
        // No run of consecutive records is too long, their sum is; equal records are dropped with a warning.
        for (int run = 0; run < 4; run++)
        {
            for (int i = 0; i < 500; i++) builder.Add(owner, i > 0, RRType.NULL, 60, rdata);
            builder.Add(other, false, RRType.NULL, 60, rdata);
        }
        builder.Add(owner, false, RRType.TXT, 60, [1, (byte)'x']);
        builder.Build();
        Assert.Contains(builder.Notes, note => note.Kind == ZoneBuildDiagnosticKind.TooMuchData);
    }

    [Fact]
    public void A_run_takes_what_a_node_can_have_and_no_more()
    {
        RecordRun run = new();
        byte[] rdata = new byte[ushort.MaxValue];
        for (int i = 0; i < 960; i++) run.TryAdd(RRType.NULL, 60, rdata);
        Assert.Equal((960, null), (run.Count, run.Surplus));
        for (int i = 0; i < 2000; i++) run.TryAdd(RRType.NULL, 60, rdata);
        Assert.InRange(run.Count, 960, 1024);
        Assert.Equal(RRType.NULL, run.Surplus!.Value.Type);
        // Short ones are counted with what each takes here.
        run.Clear();
        for (int i = 0; i < 6_000_000; i++) run.TryAdd(RRType.NULL, 60, []);
        Assert.Equal((64 << 20) / 12, run.Count);
        Assert.NotNull(run.Surplus);
        run.Clear();
        Assert.Null(run.Surplus);
    }

    [Fact]
    public void Records_that_differ_in_letter_case_are_found_without_comparing_each_with_each()
    {
        RecordRun run = new();
        for (int i = 0; i < 4096; i++) run.TryAdd(RRType.TXT, 60, LetterCase.TextOf(i));
        RdataIdentity identity = new(run);
        HashSet<int> hashes = [.. Enumerable.Range(0, run.Count).Select(identity.GetHashCode)];
        Assert.InRange(hashes.Count, 4090, 4096);
    }

    [Fact]
    public void An_empty_non_terminal_can_get_data_later()
    {
        Zone zone = GeneratedZone
            .Build([Address("x.*.a", 1), Address("*.a", 2), Address("a", 3), Address("b.a", 4), Address("a", 5)]);
        Assert.Equal(["3", "5"], Addresses(zone, "a"));
        Assert.Equal(5, zone.NameCount);
        LookupName name = default;
        name.Set(WireOctets.Name("y.a.z.test"));
        Assert.Equal(LookupOutcome.Wildcard, zone.Lookup(in name, 2, RRType.A).Outcome);
    }

    [Fact]
    public void Duplicates_are_folded_and_noted_in_any_spelling()
    {
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
        foreach (string target in (string[])["ns.other.test", "NS.Other.Test", "ns2.other.test"])
            builder.Add(WireOctets.Name("a.z.test"), false, RRType.NS, 60, WireOctets.Name(target));
        builder.Add(WireOctets.Name("a.z.test"), true, RRType.TXT, 60, [1, (byte)'x']);
        builder.Add(WireOctets.Name("a.z.test"), true, RRType.TXT, 60, [1, (byte)'X']);
        Assert.Equal(4, builder.Build().RecordCount);
        ZoneBuildDiagnostic note = Assert.Single(builder.Notes);
        Assert.Equal((ZoneBuildDiagnosticKind.DuplicateRecord, RRType.NS), (note.Kind, note.Type));
    }

    [Fact, Trait("RFC", "2181 5.2")]
    public void Of_different_ttls_the_lowest_is_used_and_noted()
    {
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
        foreach (uint ttl in (uint[])[300, 60, 900])
            builder.Add(WireOctets.Name("a.z.test"), false, RRType.A, ttl, [192, 0, 2, (byte)(ttl / 60)]);
        Zone zone = builder.Build();
        Assert.True(Find(zone, "a").TryFind(RRType.A, out RRset rrset));
        Assert.Equal(60u, rrset.Ttl);
        Assert.Equal(ZoneBuildDiagnosticKind.MixedTtl, Assert.Single(builder.Notes).Kind);
    }

    [Fact]
    public void An_rrset_of_twenty_thousand_records_is_whole_in_any_order()
    {
        GeneratedRecord[] records = [.. Enumerable.Range(0, 20_000).Select(i =>
            new GeneratedRecord("many.z.test", RRType.A, 60, [10, 0, (byte)(i >> 8), (byte)i])), Address("between", 1)];
        new Random(1).Shuffle(records);
        Zone zone = GeneratedZone.Build(records.Concat(records.Take(5000)));
        Assert.True(Find(zone, "many").TryFind(RRType.A, out RRset rrset));
        Assert.Equal(20_000, rrset.Count);
        HashSet<string> seen = [];
        foreach (ReadOnlySpan<byte> rdata in rrset) seen.Add(Convert.ToHexString(rdata));
        Assert.Equal(20_000, seen.Count);
    }

    [Fact, Trait("RFC", "4343")]
    public void An_owner_keeps_its_spelling_beside_the_lower_case_name()
    {
        ZoneBuilder builder = new(WireOctets.Name("Z.Test"));
        builder.Add(WireOctets.Name("WwW.Deep.Z.Test"), false, RRType.A, 60, [192, 0, 2, 1]);
        builder.Add(WireOctets.Name("other.Z.Test"), false, RRType.A, 60, [192, 0, 2, 1]);
        builder.Add(WireOctets.Name("www.deep.z.test"), false, RRType.TXT, 60, [0]);
        Zone zone = builder.Build();
        Assert.Equal("WwW.Deep.Z.Test.", Spelled(Find(zone, "www.deep")));
        Assert.Equal("Deep.Z.Test.", Spelled(Find(zone, "deep")));
        Assert.Equal("other.Z.Test.", Spelled(Find(zone, "other")));
        Assert.Equal("Z.Test.", Spelled(zone.ApexNode));
        Assert.Equal("www.deep.z.test.", NameText.ToText(Find(zone, "www.deep").Name));
        Assert.Equal(2, Find(zone, "www.deep").RRsetCount);
    }

    [Fact]
    public void An_owner_of_any_length_keeps_its_spelling_beside_its_records()
    {
        for (int length = 1; length <= 17; length++)
        {
            string label = string.Concat(Enumerable.Range(0, length).Select(i => i % 3 == 0 ? 'A' : 'b'));
            ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
            builder.Add(WireOctets.Name($"{label}.z.test"), false, RRType.A, 60, [192, 0, 2, (byte)length]);
            builder.Add(WireOctets.Name($"{label}.z.test"), true, RRType.TXT, 60, [1, (byte)'x']);
            Zone zone = builder.Build();
            Assert.Equal($"{label}.z.test.", Spelled(Find(zone, label)));
            Assert.Equal([$"{length}"], Addresses(zone, label));
            Assert.True(Find(zone, label).TryFind(RRType.TXT, out RRset text) && text.First is [1, (byte)'x']);
        }
    }

    [Fact]
    public void Each_record_leads_to_the_node_of_the_host_it_names()
    {
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
        foreach (string target in (string[])["h1.z.test", "h2.z.test", "h1.other.test", "h3.z.test"])
            builder.Add(WireOctets.Name("a.z.test"), false, RRType.MX, 60, [0, 1, .. WireOctets.Name(target)]);
        for (int i = 1; i <= 3; i++)
            builder.Add(WireOctets.Name($"h{i}.z.test"), false, RRType.A, 60, [192, 0, 2, (byte)i]);
        Zone zone = builder.Build();
        Assert.True(Find(zone, "a").TryFind(RRType.MX, out RRset rrset));
        List<string> hosts = [];
        foreach (ReadOnlySpan<byte> rdata in rrset)
            hosts.Add(
                zone.TryFindHost(rrset, hosts.Count, rdata, out ZoneNode host) ? NameText.ToText(host.Name) : "none");
        Assert.Equal(["h1.z.test.", "h2.z.test.", "none", "h3.z.test."], hosts);
    }

    [Fact]
    public void Signatures_are_kept_by_the_type_they_cover()
    {
        byte[] Covers(RRType type, byte tag) => [0, (byte)type, 8, 2, .. new byte[13], tag, 0, 1];
        Zone zone = GeneratedZone.Build(
        [
            new("a.z.test", RRType.RRSIG, 60, Covers(RRType.A, 1)),
            new("a.z.test", RRType.RRSIG, 30, Covers(RRType.TXT, 2)),
            Address("a", 1), new("a.z.test", RRType.RRSIG, 60, Covers(RRType.A, 3)),
        ]);
        Assert.True(Find(zone, "a").TryFindSignatures(RRType.A, out RRset ofAddress));
        Assert.Equal((2, 60u), (ofAddress.Count, ofAddress.Ttl));
        Assert.True(Find(zone, "a").TryFindSignatures(RRType.TXT, out RRset ofText));
        Assert.Equal((1, 30u), (ofText.Count, ofText.Ttl));
        Assert.False(Find(zone, "a").TryFindSignatures(RRType.MX, out _));
    }

    [Fact]
    public void Memory_of_merged_names_is_given_back()
    {
        IEnumerable<GeneratedRecord> Records(bool late)
        {
            for (int i = 0; i < 5000; i++) yield return Address($"n{i}", 1);
            for (int i = 0; i < 5000; i++) yield return late ? Address($"n{i}", 2) : Address($"m{i}", 2);
        }
        Zone merged = GeneratedZone.Build(Records(late: true));
        Zone sorted = GeneratedZone.Build(Records(late: true).OrderBy(record => record.Owner, StringComparer.Ordinal));
        Assert.Equal(GeneratedZone.Describe(sorted), GeneratedZone.Describe(merged));
        Assert.True(merged.MemoryBytes <= sorted.MemoryBytes, $"{merged.MemoryBytes} and {sorted.MemoryBytes} bytes");
    }

    [Fact]
    public void A_zone_of_several_segments_is_found_and_walked_whole()
    {
        byte[] rdata = new byte[65_000];
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
        for (int i = 0; i < 1100; i++)
        {
            rdata[0] = (byte)i;
            rdata[1] = (byte)(i >> 8);
            builder.Add(WireOctets.Name($"n{i}.z.test"), false, (RRType)65280, 60, rdata);
        }
        builder.Add(WireOctets.Name("n0.z.test"), false, RRType.A, 60, [192, 0, 2, 1]);
        Zone zone = builder.Build();
        int count = 0;
        foreach (ZoneNode _ in zone) count++;
        Assert.Equal((1101, 1101), (count, zone.NameCount));
        for (int i = 0; i < 1100; i++)
        {
            Assert.True(Find(zone, $"n{i}").TryFind((RRType)65280, out RRset rrset));
            Assert.Equal(i, rrset.First[0] | rrset.First[1] << 8);
        }
        Assert.Equal(2, Find(zone, "n0").RRsetCount);
    }

    private static GeneratedRecord Address(string label, byte last) => LookupTests.Address($"{label}.z.test", last);

    private static ZoneNode Find(Zone zone, string relative)
    {
        LookupName name = default;
        name.Set(WireOctets.Name($"{relative}.z.test"));
        Assert.True(zone.TryFind(in name, 0, out ZoneNode node), relative);
        return node;
    }

    private static List<string> Addresses(Zone zone, string relative)
    {
        List<string> addresses = [];
        Assert.True(Find(zone, relative).TryFind(RRType.A, out RRset rrset));
        foreach (ReadOnlySpan<byte> rdata in rrset) addresses.Add(rdata[3].ToString());
        return addresses;
    }

    private static string Spelled(ZoneNode node)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        return NameText.ToText(owner[..node.CopyOwner(owner)]);
    }
}
