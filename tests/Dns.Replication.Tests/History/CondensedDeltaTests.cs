using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Several deltas made one.</summary>
public sealed class CondensedDeltaTests
{
    [Fact, Trait("RFC", "1995 §5")]
    public void What_comes_and_goes_in_between_is_left_out()
    {
        ZoneDelta delta = Condense(["a A 192.0.2.1"], ["a A 192.0.2.2", "b A 192.0.2.3"], ["a A 192.0.2.4"]);
        Assert.Equal((1u, 3u), (delta.SerialFrom, delta.SerialTo));
        Assert.Equal(
            ["a.z.test. 300 a 192.0.2.1", "z.test. 300 soa ns.z.test. hostmaster.z.test. 1 3600 600 86400 60"],
            ChangingZone.TextOf(delta.Removed).Order(StringComparer.Ordinal));
        Assert.Equal(
            ["a.z.test. 300 a 192.0.2.4", "z.test. 300 soa ns.z.test. hostmaster.z.test. 3 3600 600 86400 60"],
            ChangingZone.TextOf(delta.Added).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_record_that_comes_back_with_another_TTL_is_replaced()
    {
        ZoneDelta delta = Condense(["a 60 A 192.0.2.1"], [], ["a 90 A 192.0.2.1"]);
        Assert.Contains("a.z.test. 60 a 192.0.2.1", ChangingZone.TextOf(delta.Removed));
        Assert.Contains("a.z.test. 90 a 192.0.2.1", ChangingZone.TextOf(delta.Added));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void It_makes_the_version_that_the_deltas_make(int seed)
    {
        Random random = new(seed);
        List<Zone> versions = [];
        for (uint serial = 1; serial < 12; serial++)
            versions.Add(
                ChangingZone.Load(serial, [.. Enumerable.Range(0, 30).Where(_ => random.Next(2) == 0).Select(number =>
                $"{(random.Next(4) == 0 ? "HOST" : "host")}{number} {60 * random.Next(1, 3)} A " +
                    $"192.0.2.{random.Next(3)}")]));
        ZoneDelta[] deltas = [.. versions.Skip(1).Select((now, index) => ZoneDelta.Between(versions[index], now))];
        foreach (ZoneDelta? delta in (ZoneDelta?[])
            [CondensedDelta.Of(deltas), CondensedDelta.OfAll(deltas, 1, long.MaxValue),
            CondensedDelta.OfAll(deltas, 10_000, long.MaxValue), CondensedDelta.OfAll(deltas, 1 << 20, long.MaxValue)])
        {
            ZoneEditResult result = ZoneEditor.From(versions[0]).Apply(delta!);
            Assert.Null(result.Error);
            Assert.Equal(ChangingZone.TextOf(versions[^1]), ChangingZone.TextOf(result.Zone!));
        }
        Assert.Null(CondensedDelta.OfAll([], 1, long.MaxValue));
        // One that would take too much memory is not made: it is known after the first blocks.
        int read = 0;
        Assert.Null(CondensedDelta.OfAll(deltas.TakeWhile(_ => ++read > 0), 1, 1));
        Assert.InRange(read, 1, deltas.Length - 1);
    }

    [Fact]
    public void Records_that_differ_in_letter_case_are_found_without_comparing_each_with_each()
    {
        ZoneDeltaBuilder builder = new(DomainName.Parse("z.test"), 1);
        builder.Remove(WireOctets.Name("z.test"), RRType.SOA, SoaOf(1));
        builder.Add(WireOctets.Name("z.test"), RRType.SOA, 300, SoaOf(2));
        for (int i = 0; i < 4096; i++) builder.Add(WireOctets.Name("t.z.test"), RRType.TXT, 300, LetterCase.TextOf(i));
        RecordList added = builder.Build().Added;
        HashSet<int> hashes = [];
        for (int i = 0; i < added.Count; i++) hashes.Add(ListedRecordIdentity.Instance.GetHashCode((added, i)));
        Assert.InRange(hashes.Count, 4090, 4097);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Records_whose_names_differ_in_letter_case_are_the_same_as_for_an_edit(int seed)
    {
        Random random = new(seed);
        Zone first = ChangingZone.Load(1, "m MX 0 mail"), last = first;
        HashSet<int> there = [0];
        List<ZoneDelta> deltas = [];
        for (uint serial = 1; serial < 60; serial++)
        {
            ZoneDeltaBuilder delta = new(DomainName.Parse("z.test"), serial);
            delta.Remove(WireOctets.Name("z.test"), RRType.SOA, SoaOf(serial));
            delta.Add(WireOctets.Name("z.test"), RRType.SOA, 300, SoaOf(serial + 1));
            for (int number = 0; number < 4; number++)
            {
                // Replaced, removed, added or left.
                bool isThere = there.Contains(number);
                if (isThere && random.Next(2) == 0) Take(delta, number);
                if (!there.Contains(number) && random.Next(2) == 0) Put(delta, number);
            }
            deltas.Add(delta.Build());
            ZoneEditResult edited = ZoneEditor.From(last).Apply(deltas[^1]);
            Assert.Null(edited.Error);
            last = edited.Zone!;
            ZoneEditResult result = ZoneEditor.From(first).Apply(CondensedDelta.Of(deltas)!);
            Assert.Null(result.Error);
            Assert.Empty(ZoneDelta.Between(last, result.Zone!) is { IsEmpty: false } difference
                ? ChangingZone.TextOf(difference.Removed).Concat(ChangingZone.TextOf(difference.Added)) : []);
        }

        void Take(ZoneDeltaBuilder delta, int number)
        {
            delta.Remove(WireOctets.Name("m.z.test"), RRType.MX, Mail(number));
            there.Remove(number);
        }

        void Put(ZoneDeltaBuilder delta, int number)
        {
            delta.Add(WireOctets.Name("m.z.test"), RRType.MX, 300, Mail(number));
            there.Add(number);
        }

        byte[] Mail(int number) =>
            [0, (byte)number, .. WireOctets.Name(new string([.. "mail.z.test".Select(Cased)]))];

        char Cased(char letter) => random.Next(2) == 0 ? char.ToUpperInvariant(letter) : letter;
    }

    private static byte[] SoaOf(uint serial)
    {
        ChangingZone.Load(serial).ApexNode.TryFind(RRType.SOA, out RRset soa);
        return soa.First.ToArray();
    }

    [Fact]
    public void More_records_than_the_bound_are_not_made_one()
    {
        Zone one = ChangingZone.Load(1), two = ChangingZone.Load(2, ChangingZone.Bulk(CondensedDelta.MaxRecords));
        Assert.Null(CondensedDelta.Of([ZoneDelta.Between(one, two)]));
        Assert.NotNull(CondensedDelta
            .Of([ZoneDelta.Between(one, ChangingZone.Load(2, ChangingZone.Bulk(CondensedDelta.MaxRecords - 2)))]));
    }

    private static ZoneDelta Condense(params string[][] versions)
    {
        Zone[] zones = [.. versions.Select((records, index) => ChangingZone.Load((uint)index + 1, records))];
        return CondensedDelta.Of([.. zones.Skip(1).Select((now, index) => ZoneDelta.Between(zones[index], now))])!;
    }
}
