using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

/// <summary>
/// Random changes of random zones, applied and built from scratch. <c>DNS_EDIT_SEQUENCES</c> makes it longer,
/// <c>DNS_FUZZ_SEED</c> repeats a run.
/// </summary>
public class EditOracleTests(ITestOutputHelper output)
{
    private static readonly RRType[] Types =
    [
        RRType.A, RRType.A, RRType.TXT, RRType.NS, RRType.NS, RRType.DNAME, RRType.CNAME, RRType.DS, RRType.MX,
        RRType.RRSIG, (RRType)65280,
    ];

    [Fact]
    public void Edited_zones_are_what_building_them_anew_makes() =>
        Run(GeneratedZone.Setting("DNS_EDIT_SEQUENCES", 10_000), edits: 5, changes: 4, compareEach: 1, hosts: 0);

    [Fact]
    public void A_zone_edited_for_long_is_what_building_it_anew_makes() =>
        Run(sequences: 4, edits: 800, changes: 6, compareEach: 40, hosts: 0);

    [Fact]
    public void A_zone_whose_table_has_pages_is_what_building_it_anew_makes() =>
        Run(sequences: 1, edits: 500, changes: 12, compareEach: 100, hosts: 3000);

    private void Run(int sequences, int edits, int changes, int compareEach, int hosts)
    {
        int seed = GeneratedZone.Setting("DNS_FUZZ_SEED", Environment.TickCount);
        output.WriteLine($"DNS_FUZZ_SEED={seed}");
        Random random = new(seed);
        using Readers readers = new();
        int applied = 0;
        for (int left = sequences; left > 0; left--)
        {
            Walk walk = new(random, hosts);
            for (int edit = 1; edit <= edits; edit++)
            {
                string? difference = walk.Step(changes, isCompared: edit % compareEach == 0);
                Assert.True(difference is null, $"DNS_FUZZ_SEED={seed}: {difference}");
                if (edit % compareEach == 0) readers.Give(walk.Zone);
            }
            applied += walk.Applied;
        }
        readers.Dispose();
        Assert.Null(readers.Difference);
        output.WriteLine($"{applied} changes applied, versions described again {readers.Count} times");
        Assert.InRange(applied, sequences * edits / 10, sequences * edits);
    }

    /// <summary>One zone on its way through many changes.</summary>
    private sealed class Walk
    {
        private readonly Random _random;
        private readonly int _hosts;
        private PlainZone _plain;

        public Walk(Random random, int hosts)
        {
            _random = random;
            _hosts = hosts;
            IEnumerable<GeneratedRecord> many = Enumerable.Range(0, hosts)
                .Select(i => LookupTests.Address($"h{i}.{Parent(i)}", 1));
            _plain = new PlainZone([PlainZone.Soa(1), .. many]);
            for (int left = random.Next(8); left > 0; left--) _plain = _plain.After([], [Next()]) ?? _plain;
            Zone = _plain.Build();
            if (random.Next(2) == 0) _ = Zone.Order;
        }

        public Zone Zone { get; private set; }

        public int Applied { get; private set; }

        public string? Step(int changes, bool isCompared)
        {
            List<GeneratedRecord> removed = [], added = [];
            if (_random.Next(10) > 0)
            {
                removed.Add(PlainZone.Soa((byte)_plain.Serial));
                added.Add(PlainZone.Soa((byte)(_plain.Serial + 1)));
            }
            GeneratedRecord[] records = [.. _plain.Records.Where(record => record.Type != RRType.SOA)];
            for (int left = _random.Next(1, changes + 1); left > 0; left--)
            {
                int kind = _random.Next(20);
                if (kind < 7 && records.Length > 0) removed.Add(records[_random.Next(records.Length)]);
                else if (kind == 7 && records.Length > 0)
                    AddWholeName(records[_random.Next(records.Length)].Owner, records, removed);
                else if (kind == 8) (_random.Next(2) == 0 ? removed : added).Add(Next());
                else added.Add(Next());
            }
            if (_random.Next(4) > 0) removed = [.. removed.Distinct()];
            return Compare(removed, added, isCompared);
        }

        private string? Compare(List<GeneratedRecord> removed, List<GeneratedRecord> added, bool isCompared)
        {
            PlainZone? expected = _plain.After(removed, added);
            ZoneEditResult result = EditedZones.Edit(Zone, [.. removed], [.. added]);
            string Change() =>
                $"\n- {string.Join("\n- ", removed)}\n+ {string.Join("\n+ ", added)}\nof " +
                    $"{EditedZones.Describe(_plain.Build())}";
            if (expected is null != result.Zone is null)
                return $"{result.Error?.Message ?? "applied"}, expected " +
                    $"{(expected is null ? "an error" : "none")}{Change()}";
            if (result.Zone is null) return null;
            if (isCompared && Difference(result.Zone, expected!.Build()) is { } difference)
                return difference + Change();
            (Zone, _plain) = (result.Zone, expected!);
            Applied++;
            return null;
        }

        private string? Difference(Zone zone, Zone expected)
        {
            string left = EditedZones.Describe(zone), right = EditedZones.Describe(expected);
            if (left != right) return $"found\n{left}\nexpected\n{right}";
            if (zone.Index is not null && !Names(zone).SequenceEqual(Names(expected))) return "another canonical order";
            for (int i = 0; i < 10; i++)
            {
                string name = NextName();
                foreach (RRType type in (RRType[])[RRType.A, RRType.DS])
                {
                    left = EditedZones.Look(zone, WireOctets.Name(name), type);
                    right = EditedZones.Look(expected, WireOctets.Name(name), type);
                    if (left != right) return $"{name} {type}: found {left}, expected {right}";
                }
            }
            return null;
        }

        private static List<string> Names(Zone zone)
        {
            List<string> names = [];
            foreach (ZoneNode node in zone.Order) names.Add(NameText.ToText(node.Name));
            return names;
        }

        private void AddWholeName(string owner, GeneratedRecord[] records, List<GeneratedRecord> removed) =>
            removed.AddRange(records.Where(
                record => record.Owner == owner || record.Owner.EndsWith("." + owner, StringComparison.Ordinal)));

        private string Parent(int host) => host % 3 == 0 ? GeneratedZone.Apex : $"p{host % 40}.{GeneratedZone.Apex}";

        private string NextName()
        {
            int host = _random.Next(Math.Max(1, _hosts * 2));
            return _hosts == 0 || _random.Next(3) == 0 ? GeneratedZone.NextName(_random) : $"h{host}.{Parent(host)}";
        }

        private GeneratedRecord Next()
        {
            RRType type = Types[_random.Next(Types.Length)];
            byte[] rdata = type switch
            {
                RRType.A => [192, 0, 2, (byte)_random.Next(4)],
                RRType.TXT => [1, (byte)('a' + _random.Next(4))],
                RRType.DS => [0, 1, 8, 2, .. new byte[32]],
                RRType.MX => [0, 1, .. WireOctets.Name(NextName())],
                RRType.RRSIG => [0, (byte)RRType.A, 8, 2, .. new byte[14], 0, (byte)_random.Next(3)],
                RRType.NS or RRType.CNAME or RRType.DNAME => WireOctets.Name(NextName()),
                _ => new byte[_random.Next(4)],
            };
            return new GeneratedRecord(NextName(), type, (uint)_random.Next(1, 4), rdata);
        }
    }

    /// <summary>
    /// A thread that describes versions again and again, while others are made of them: nothing of them may change.
    /// </summary>
    private sealed class Readers : IDisposable
    {
        private readonly Thread _thread;
        private readonly (Zone Zone, string Text)[] _versions = new (Zone, string)[16];
        private readonly Lock _lock = new();
        private volatile bool _ended;
        private int _given;

        public Readers()
        {
            _thread = new Thread(Read);
            _thread.Start();
        }

        public string? Difference { get; private set; }

        public int Count { get; private set; }

        public void Give(Zone zone)
        {
            if (zone.NameCount > 1000 && _given > 4) return;
            string text = EditedZones.Describe(zone);
            lock (_lock) _versions[_given++ % _versions.Length] = (zone, text);
        }

        public void Dispose()
        {
            _ended = true;
            _thread.Join();
        }

        private void Read()
        {
            for (int i = 0; !_ended || i < _versions.Length; i++)
            {
                (Zone Zone, string Text) version;
                lock (_lock) version = _versions[i % _versions.Length];
                if (version.Zone is null) continue;
                Count++;
                string now = EditedZones.Describe(version.Zone);
                if (now != version.Text) Difference ??= $"found\n{now}\nexpected\n{version.Text}";
            }
        }
    }
}
