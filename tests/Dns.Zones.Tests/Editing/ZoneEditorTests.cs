using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public class ZoneEditorTests
{
    private static readonly GeneratedRecord Soa = PlainZone.Soa(1);

    [Fact]
    public void The_serials_of_a_delta_are_those_of_the_soa_that_goes_and_comes()
    {
        ZoneDelta delta = EditedZones.Delta(1, [Soa], [PlainZone.Soa(9)]);
        Assert.Equal((1u, 9u), (delta.SerialFrom, delta.SerialTo));
        Zone zone = EditedZones.Edited(Build(), [Soa], [PlainZone.Soa(9)]);
        Assert.Equal(9u, zone.Serial);
    }

    [Fact]
    public void The_version_before_stays_as_it_is()
    {
        Zone zone = Build(Address("a"), Address("b.c"));
        string before = EditedZones.Describe(zone);
        Zone next = EditedZones.Edited(zone, [Soa, Address("b.c")], [PlainZone.Soa(2), Address("d.*")]);
        Assert.Equal(before, EditedZones.Describe(zone));
        Assert.NotEqual(zone.Snapshot, next.Snapshot);
        Assert.Equal("Wildcard *.z.test. 2 False", EditedZones.Look(next, WireOctets.Name("b.c.z.test"), RRType.TXT));
    }

    [Fact]
    public void A_hint_of_the_version_before_is_ignored()
    {
        Zone zone = Build(Address("a"));
        GeneratedRecord changed = LookupTests.Address("a.z.test", 9);
        Zone next = EditedZones.Edited(zone, [Soa, Address("a")], [PlainZone.Soa(2), changed]);
        LookupName name = default;
        name.Set(WireOctets.Name("a.z.test"));
        NodeHint hint = zone.PrefetchNode(in name);
        Assert.True(next.TryFind(in name, in hint, out ZoneNode node));
        Assert.True(node.TryFind(RRType.A, out RRset rrset));
        Assert.Equal(9, rrset.First[^1]);
    }

    [Fact]
    public void A_change_that_writes_nothing_leaves_a_version_that_can_be_edited()
    {
        Zone zone = Build(Address("a"), Address("b"));
        Zone next = EditedZones.Edited(EditedZones.Edited(zone, [Address("a")], []), [], []);
        Assert.Equal(EditedZones.Describe(Build(Address("b"), Address("c"))),
            EditedZones.Describe(EditedZones.Edited(next, [], [Address("c")])));
        Assert.Equal(EditedZones.Describe(Build(Address("b"), Address("d"))),
            EditedZones.Describe(EditedZones.Edited(next, [], [Address("d")])));
    }

    [Fact]
    public void A_change_with_more_records_at_a_name_than_there_is_room_is_refused_without_an_exception()
    {
        ZoneDelta delta = EditedZones.Delta(1, [Soa], [PlainZone.Soa(9)]);
        RecordList.ListedRecord record = delta.Added[0];
        int each = 16 + record.Rdata.Length;
        OwnerRecords records = new(maxOctets: 2 * each);
        records.Begin(default, isKnown: false);
        Assert.True(records.Add(record));
        Assert.True(records.Remove(record));
        Assert.False(records.IsFull);
        Assert.False(records.Add(record));
        Assert.False(records.Remove(record));
        Assert.True(records.IsFull);
        Assert.False(records.End());
        records.Begin(default, isKnown: false);
        Assert.True(records.Add(record));
    }

    [Theory]
    [InlineData("a", RRType.A, "a", RRType.CNAME, ZoneEditErrorKind.Forbidden)]
    [InlineData("a", RRType.CNAME, "a", RRType.CNAME, ZoneEditErrorKind.Forbidden)]
    [InlineData("a", RRType.DNAME, "a", RRType.DNAME, ZoneEditErrorKind.Forbidden)]
    [InlineData("a", RRType.DNAME, "a", RRType.NS, ZoneEditErrorKind.Forbidden)]
    [InlineData("a", RRType.DNAME, "b.a", RRType.A, ZoneEditErrorKind.Forbidden)]
    [InlineData("c.b.a", RRType.A, "a", RRType.DNAME, ZoneEditErrorKind.Forbidden)]
    [InlineData("a", RRType.A, "a", RRType.SOA, ZoneEditErrorKind.Forbidden)]
    [InlineData("a", RRType.A, "", RRType.DS, ZoneEditErrorKind.Forbidden)]
    [InlineData("a", RRType.A, "", RRType.SOA, ZoneEditErrorKind.Forbidden)]
    [InlineData("a", RRType.A, "a", RRType.A, ZoneEditErrorKind.AlreadyThere)]
    public void What_would_make_no_zone_is_refused_with_the_name_and_the_reason(
        string there, RRType thereType, string added, RRType addedType, ZoneEditErrorKind expected)
    {
        Zone zone = Build(Record(there, thereType, 0));
        GeneratedRecord record =
            Record(added, addedType, addedType == thereType && expected == ZoneEditErrorKind.Forbidden ? 1 : 0);
        ZoneEditResult result = EditedZones.Edit(zone, [], [record, Address("x")]);
        Assert.Null(result.Zone);
        Assert.Equal(expected, result.Error!.Kind);
        Assert.StartsWith("found ", result.Error.Message);
        AssertStillEditable(zone);
    }

    [Fact]
    public void What_is_not_there_cannot_be_removed()
    {
        Zone zone = Build(Address("a"));
        foreach (GeneratedRecord record in (GeneratedRecord[])[Address("b"), LookupTests.Address("a.z.test", 9),
            Record("a", RRType.TXT, 0)])
            Assert.Equal(ZoneEditErrorKind.NotThere, EditedZones.Edit(zone, [record], [Address("x")]).Error!.Kind);
        Assert.Equal(ZoneEditErrorKind.NotThere, EditedZones.Edit(zone, [Address("a"), Address("a")], []).Error!.Kind);
        AssertStillEditable(zone);
    }

    [Fact]
    public void A_delta_of_another_zone_version_or_name_is_refused()
    {
        Zone zone = Build(Address("a"));
        Assert.Equal(ZoneEditErrorKind.OtherVersion,
            ZoneEditor.From(zone).Apply(EditedZones.Delta(2, [], [Address("b")])).Error!.Kind);
        ZoneDelta other = new ZoneDeltaBuilder(DomainName.Parse("y.test"), 1).Build();
        Assert.Equal(ZoneEditErrorKind.OtherVersion, ZoneEditor.From(zone).Apply(other).Error!.Kind);
        GeneratedRecord outside = LookupTests.Address("a.y.test");
        Assert.Equal(ZoneEditErrorKind.OutOfZone, EditedZones.Edit(zone, [], [outside]).Error!.Kind);
        Assert.Equal(ZoneEditErrorKind.Forbidden, EditedZones.Edit(zone, [Soa], []).Error!.Kind);
    }

    [Fact]
    public void A_name_does_not_grow_beyond_its_limits()
    {
        Zone zone = Build(Address("a"));
        ZoneDelta delta =
            EditedZones.Delta(1, [], [LookupTests.Address("a.z.test", 2), LookupTests.Address("a.z.test", 3)]);
        Assert.Equal(ZoneEditErrorKind.TooLarge,
            ZoneEditor.From(zone, new ZoneLimits(2, 100)).Apply(delta).Error!.Kind);
        Assert.NotNull(ZoneEditor.From(zone, new ZoneLimits(3, 100)).Apply(delta).Zone);
        ZoneDelta type = EditedZones.Delta(1, [], [Record("a", RRType.TXT, 0)]);
        Assert.Equal(ZoneEditErrorKind.TooLarge, ZoneEditor.From(zone, new ZoneLimits(3, 1)).Apply(type).Error!.Kind);
    }

    [Fact, Trait("RFC", "4343")]
    public void A_name_that_comes_again_has_its_new_spelling_and_one_that_stays_its_old()
    {
        Zone zone = Build(Address("a"));
        ZoneDeltaBuilder builder = new(DomainName.Parse("z.test"), 1);
        builder.Remove(WireOctets.Name("A.z.test"), RRType.A, [192, 0, 2, 1]);
        builder.Add(WireOctets.Name("A.z.test"), RRType.A, 60, [192, 0, 2, 2]);
        builder.Add(WireOctets.Name("B.z.test"), RRType.A, 60, [192, 0, 2, 2]);
        Zone next = ZoneEditor.From(zone).Apply(builder.Build()).Zone!;
        Assert.Contains("A.z.test. A", EditedZones.Describe(next));
        builder = new(DomainName.Parse("z.test"), 1);
        builder.Add(WireOctets.Name("b.z.test"), RRType.A, 60, [192, 0, 2, 3]);
        Assert.Contains("B.z.test. A 60 2", EditedZones.Describe(ZoneEditor.From(next).Apply(builder.Build()).Zone!));
    }

    [Fact]
    public void Versions_made_of_one_version_do_not_disturb_each_other()
    {
        Zone zone = EditedZones.Edited(Build(Address("a")), [], [Address("b")]);
        Zone[] branches = new Zone[8];
        string[] texts = new string[8];
        Parallel.For(0, branches.Length, i =>
        {
            branches[i] = zone;
            for (int step = 0; step < 300; step++)
            {
                GeneratedRecord record = Address($"n{step % 40}.x{i}");
                bool isThere = step % 80 >= 40;
                branches[i] = EditedZones.Edited(branches[i], isThere ? [record] : [], isThere ? [] : [record]);
            }
            texts[i] = EditedZones.Describe(branches[i]);
        });
        for (int i = 0; i < branches.Length; i++)
        {
            GeneratedRecord[] left = [.. Enumerable.Range(20, 20).Select(n => Address($"n{n}.x{i}"))];
            Assert.Equal(texts[i], EditedZones.Describe(branches[i]));
            Assert.Equal(EditedZones.Describe(Build([Address("a"), Address("b"), .. left])), texts[i]);
        }
    }

    [Fact]
    public void A_second_version_of_one_version_writes_over_nothing_of_the_first()
    {
        Zone zone = EditedZones.Edited(Build(Address("a")), [], [Address("b")]);
        Zone first = EditedZones.Edited(zone, [], [Address("c")]),
            second = EditedZones.Edited(zone, [], [Address("d")]);
        Assert.Equal(EditedZones.Describe(Build(Address("a"), Address("b"), Address("c"))),
            EditedZones.Describe(first));
        Assert.Equal(EditedZones.Describe(Build(Address("a"), Address("b"), Address("d"))),
            EditedZones.Describe(second));
        Assert.Same(zone.Segments[1], first.Segments[1]);
        Assert.Equal((2, 3), (first.Segments.Length, second.Segments.Length));
    }

    [Fact, Trait("RFC", "1034 4.2.1")]
    public void A_cut_above_many_names_hides_them_at_once_and_shows_them_again()
    {
        Zone zone = Build([.. Enumerable.Range(0, 20_000).Select(i => Address($"n{i}.sub"))]);
        GeneratedRecord cut = Record("sub", RRType.NS, 0);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Zone hidden = EditedZones.Edited(zone, [], [cut]);
        Zone shown = EditedZones.Edited(hidden, [cut], []);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 200_000);
        byte[] name = WireOctets.Name("n77.sub.z.test"), missing = WireOctets.Name("x.n77.sub.z.test");
        Assert.Equal("Delegation sub.z.test. 1 True", EditedZones.Look(hidden, name, RRType.A));
        Assert.Equal("Delegation sub.z.test. 2 True", EditedZones.Look(hidden, missing, RRType.A));
        Assert.Equal("Found n77.sub.z.test. 0 True", EditedZones.Look(shown, name, RRType.A));
        Assert.Equal("NameError n77.sub.z.test. 1 True", EditedZones.Look(shown, missing, RRType.A));
        Assert.Equal((1, 0), (hidden.UnmarkedCuts, shown.UnmarkedCuts));
    }

    [Fact, Trait("RFC", "6672 2.4")]
    public void A_DNAME_that_comes_to_the_apex_and_goes_again_many_times_costs_one_search_for_names_below()
    {
        const int Hashes = 10_000;
        Zone zone = Build([.. Enumerable.Range(0, Hashes).Select(i => Record($"h{i}", RRType.NSEC3, i))]);
        GeneratedRecord dname = Record("", RRType.DNAME, 0);
        int visited = 0;
        for (int i = 0; i < 50; i++)
        {
            Apply([], [dname]);
            Apply([dname], [Address("data")]);
            Assert.Equal(ZoneEditErrorKind.Forbidden, EditedZones.Edit(zone, [], [dname]).Error!.Kind);
            Apply([Address("data")], [Record("more", RRType.NSEC3, i), Address("b.c")]);
            Apply([Address("b.c"), Record("more", RRType.NSEC3, i)], []);
        }
        Assert.InRange(visited, 1, 2 * Hashes);

        void Apply(GeneratedRecord[] removed, GeneratedRecord[] added)
        {
            ZoneEditor editor = ZoneEditor.From(zone);
            ZoneEditResult result = editor.Apply(EditedZones.Delta(1, removed, added));
            Assert.True(result.IsApplied, result.Error?.Message);
            (zone, visited) = (result.Zone, visited + editor.VisitedNames);
        }
    }

    [Fact, Trait("RFC", "6672 2.4")]
    public void A_DNAME_above_many_names_is_refused_without_a_search()
    {
        Zone zone = Build([.. Enumerable.Range(0, 1000).Select(i => Record($"h{i}.sub", RRType.NSEC3, i))]);
        ZoneEditor editor = ZoneEditor.From(zone);
        ZoneEditResult result = editor.Apply(EditedZones.Delta(1, [], [Record("sub", RRType.DNAME, 0)]));
        Assert.Equal("found names below the DNAME at sub.z.test., expected nothing there", result.Error!.Message);
        Assert.Equal(0, editor.VisitedNames);
    }

    [Fact]
    public void A_name_changed_in_a_large_zone_costs_little_memory()
    {
        const int Names = 400_000, Edits = 2000;
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
        builder.Add(WireOctets.Name(Soa.Owner), false, RRType.SOA, 3, Soa.Rdata);
        for (int i = 0; i < Names; i++)
            builder.Add(WireOctets.Name($"n{i}.z.test"), false, RRType.A, 60, [192, 0, 2, 1]);
        Zone zone = builder.Build();
        Random random = new(1);
        long most = 0, least = long.MaxValue;
        for (int i = 0; i < Edits; i++)
        {
            int number = random.Next(Names);
            ZoneDelta delta = EditedZones.Delta(1, [], [LookupTests.Address($"n{number}.z.test", (byte)(i >> 4))]);
            long octets = GC.GetAllocatedBytesForCurrentThread();
            Zone? next = ZoneEditor.From(zone).Apply(delta).Zone;
            octets = GC.GetAllocatedBytesForCurrentThread() - octets;
            (least, most) = (Math.Min(least, octets), Math.Max(most, octets));
            zone = next ?? zone;
        }
        Assert.InRange(least, 1, 3_000);
        Assert.InRange(most, 1, 100_000);
    }

    [Fact]
    public void Memory_stays_level_over_many_edits()
    {
        int edits = GeneratedZone.Setting("DNS_EDITS", 100_000);
        GeneratedRecord[] names = [.. Enumerable.Range(0, 5000).Select(i => Address($"n{i}"))];
        Zone zone = Build(names);
        long first = zone.MemoryBytes, most = 0;
        Random random = new(1);
        for (int i = 0; i < edits; i++)
        {
            string name = $"n{random.Next(names.Length)}.z.test";
            LookupName lookup = default;
            lookup.Set(WireOctets.Name(name));
            Assert.True(zone.TryFind(in lookup, 0, out ZoneNode node));
            Assert.True(node.TryFind(RRType.A, out RRset rrset));
            byte last = rrset.First[3];
            zone = EditedZones.Edited(zone, [LookupTests.Address(name, last)],
                [LookupTests.Address(name, (byte)(last + 1))]);
            if (i % 1000 == 0) most = Math.Max(most, zone.MemoryBytes);
        }
        Assert.InRange(most, first, first * 2);
        Assert.Equal((names.Length + 1, names.Length + 1L), (zone.NameCount, zone.RecordCount));
    }

    [Fact]
    public void A_name_larger_than_a_segment_is_built_and_edited_like_any_other()
    {
        GeneratedRecord[] large = [.. Enumerable.Range(0, 60).Select(i =>
            new GeneratedRecord("large.z.test", (RRType)65280, 60, [.. new byte[60_000], (byte)i]))];
        Zone zone = Build([Address("a"), .. large, Address("b")]);
        Zone more = EditedZones.Edited(zone, [], [Address("large"), Address("c.large")]);
        Assert.Equal(
            EditedZones.Describe(Build([Address("a"), Address("b"), .. large, Address("large"), Address("c.large")])),
            EditedZones.Describe(more));
        Zone less = EditedZones.Edited(more, [.. large, Address("c.large")], [Address("d")]);
        Assert.Equal(EditedZones.Describe(Build([Address("a"), Address("b"), Address("d"), Address("large")])),
            EditedZones.Describe(less));
        // What it took is given back by the changes that follow; the segment behind it is written on.
        for (int i = 0; i < 20; i++) less = EditedZones.Edited(less, [], [Address($"e{i}")]);
        Assert.InRange(less.MemoryBytes, 1, ZoneMemory.SegmentOctets + 100_000);
    }

    [Fact]
    public void A_count_of_children_stops_at_its_end_and_stays_there()
    {
        byte[] node = new byte[16];
        ZoneMemory.WriteHeader(node, 1, NodeFlags.None);
        ZoneMemory.WriteChildren(node, ZoneMemory.MaxChildren - 1);
        ZoneMemory.AddChild(node, 1);
        ZoneMemory.AddChild(node, 1);
        ZoneMemory.AddChild(node, -1);
        Assert.Equal((ZoneMemory.MaxChildren, 16), (ZoneMemory.Children(node), ZoneMemory.NodeOctets(node)));
    }

    private static Zone Build(params GeneratedRecord[] records) => GeneratedZone.Build([Soa, .. records]);

    private static GeneratedRecord Address(string label) => LookupTests.Address($"{label}.z.test");

    private static GeneratedRecord Record(string label, RRType type, int number) => new(
        label.Length == 0 ? "z.test" : $"{label}.z.test", type, 60, type switch
        {
            RRType.A => [192, 0, 2, 1],
            RRType.SOA => PlainZone.Soa(7).Rdata,
            RRType.DS => [0, 1, 8, 2, .. new byte[32]],
            RRType.TXT => [1, (byte)'x'],
            RRType.NSEC3 => [1, 0, 0, 0, 0, 20, .. new byte[19], (byte)number],
            _ => WireOctets.Name($"n{number}.other.test"),
        });

    /// <summary>A change that was refused leaves the version the newest: the next appends to its memory.</summary>
    private static void AssertStillEditable(Zone zone)
    {
        string before = EditedZones.Describe(zone);
        Zone next = EditedZones.Edited(zone, [], [Address("later")]);
        int segments = next.Segments.Length;
        int[] dead = [.. next.SegmentUse!.Dead];
        Assert.NotNull(EditedZones.Edit(next, [Soa], []).Error);
        Assert.Equal(dead, next.SegmentUse.Dead);
        Assert.Equal(segments, EditedZones.Edited(next, [], [Address("latest")]).Segments.Length);
        Assert.Equal(before, EditedZones.Describe(zone));
    }
}
