using Dns.Testing;

namespace Dns.Answering.Tests;

/// <summary>A small zone that changes, and a simple lookup in it (RFC 1034 §4.3.2), label by label over text.</summary>
internal sealed class PlainTruth(string apex)
{
    private static readonly string[] Labels = ["a", "aa", "b", "b1", "c", "*", "z-z"];
    private static readonly RRType[] Types =
        [RRType.A, RRType.A, RRType.TXT, RRType.NS, RRType.NS, RRType.CNAME, RRType.DNAME, RRType.MX,
            RRType.DS, RRType.DS];

    /// <summary>Maximum hosts of an RRset whose addresses an answer has: the first ones.</summary>
    private const int MostTargets = 16;

    private readonly Dictionary<string, PlainRecord> _records = [];

    /// <summary>The zone's name.</summary>
    public string Apex => apex;

    /// <summary>The records.</summary>
    public IEnumerable<PlainRecord> Records => _records.Values;

    /// <summary>A name of the zone or near one.</summary>
    public string NextName(Random random)
    {
        string name = apex;
        for (int depth = random.Next(5); depth > 0; depth--)
            name =
                name.Length == 0 ? Labels[random.Next(Labels.Length)] : $"{Labels[random.Next(Labels.Length)]}.{name}";
        return name;
    }

    /// <summary>Sets the zone's own records.</summary>
    public void SetApex(uint serial)
    {
        foreach (PlainRecord old in _records.Values.Where(record => record.Type == RRType.SOA).ToArray())
            _records.Remove(old.Key);
        byte[] soa = [.. Name("ns"), .. Name("host"), .. WireOctets.UInt32(serial), .. new byte[12],
            .. WireOctets.UInt32(60)];
        Add(new PlainRecord(apex, RRType.SOA, 300, soa));
        Add(new PlainRecord(apex, RRType.NS, 300, Name("ns")));
    }

    /// <summary>Changes a record or two, so that the zone stays one that a file may have.</summary>
    public void Change(Random random)
    {
        if (random.Next(5) < 2 && _records.Count > 4)
        {
            PlainRecord[] others = [.. _records.Values.Where(record => record.Owner != apex)];
            if (others.Length > 0) _records.Remove(others[random.Next(others.Length)].Key);
        }
        else TryAdd(random);
        // A DS stands beside NS alone.
        foreach (PlainRecord ds in _records.Values
            .Where(record => record.Type == RRType.DS && !IsCut(record.Owner)).ToArray())
            _records.Remove(ds.Key);
    }

    /// <summary>How a name stands to the data.</summary>
    public (LookupOutcome Outcome, string Node, string Encloser) Lookup(string name, RRType type)
    {
        string[] labels = NameOrder.Labels(name)[..^NameOrder.Labels(apex).Length];
        string node = apex;
        for (int left = labels.Length; ; left--)
        {
            if (IsCut(node) && !(left == 0 && type == RRType.DS)) return (LookupOutcome.Delegation, node, node);
            if (left == 0) return (LookupOutcome.Found, node, node);
            if (Has(node, RRType.DNAME)) return (LookupOutcome.Redirection, node, node);
            string child = Below(labels[left - 1], node), wildcard = Below("*", node);
            if (!Exists(child))
                return Exists(wildcard)
                    ? (LookupOutcome.Wildcard, wildcard, node) : (LookupOutcome.NameError, node, node);
            node = child;
        }
    }

    /// <summary>Whether a name has a type.</summary>
    public bool Has(string name, RRType type) =>
        _records.Values.Any(record => record.Owner == name && record.Type == type);

    private static string Below(string label, string name) => name.Length == 0 ? label : $"{label}.{name}";

    private bool Exists(string name) => _records.Values.Any(record => NameOrder.IsAtOrBelow(record.Owner, name));

    private bool IsCut(string name) => name != apex && !name.StartsWith('*') && Has(name, RRType.NS);

    private byte[] Name(string label) => WireOctets.Name(Below(label, apex));

    public void Add(PlainRecord record) => _records[record.Key] = record;

    private void TryAdd(Random random)
    {
        string owner = NextName(random);
        RRType type = Types[random.Next(Types.Length)];
        bool isWild = owner.StartsWith('*'), isApex = owner == apex;
        RRType[] own = [.. _records.Values.Where(record => record.Owner == owner).Select(record => record.Type)];
        bool isBelowDname =
            _records.Values.Any(record => record.Type == RRType.DNAME && NameOrder.IsBelow(owner, record.Owner));
        bool hasBelow = _records.Values.Any(record => NameOrder.IsBelow(record.Owner, owner));
        if (isBelowDname || own.Contains(RRType.CNAME) || own.Contains(RRType.DNAME)) return;
        if (type == RRType.CNAME && (own.Length > 0 || isApex)) return;
        if (type == RRType.DNAME && (hasBelow || own.Length > 0 || isWild || isApex)) return;
        if (type is RRType.NS or RRType.DS && (isWild || isApex)) return;
        if (own.Count(other => other == type) == MostTargets) return;
        string target = random.Next(8) == 0 ? "elsewhere.example" : NextName(random);
        byte[] rdata = type switch
        {
            RRType.A => [192, 0, 2, (byte)random.Next(3)],
            RRType.TXT => [1, (byte)('a' + random.Next(3))],
            RRType.MX => [0, 1, .. WireOctets.Name(target.Length == 0 ? "." : target)],
            RRType.DS => [0, 1, 13, 2, .. new byte[32]],
            _ => WireOctets.Name(target.Length == 0 ? "." : target),
        };
        Add(new PlainRecord(owner, type, 300, rdata));
    }
}
