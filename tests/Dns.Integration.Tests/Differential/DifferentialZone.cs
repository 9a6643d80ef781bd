using System.Text;

namespace Dns.Integration.Tests;

/// <summary>
/// A zone that every server loads, from random numbers: wildcards, cuts with glue and without, DNAMEs, aliases to
/// anywhere, empty non-terminals.
/// </summary>
internal sealed class DifferentialZone(Random random, string apex, IReadOnlyList<string> zones)
{
    private static readonly string[] Labels = ["a", "b", "c", "d", "*"];

    private readonly Dictionary<string, HashSet<string>> _types = [];
    private readonly StringBuilder _text = new();

    public string Apex => apex;

    public string Next()
    {
        _text
            .Append(
                $"$TTL 3600\n@ SOA ns1 host 7 7200 3600 1209600 300\n@ NS ns1\n@ NS ns.outside.invalid.\nns1 A " +
                    $"192.0.2.1\n");
        foreach (string zone in zones)
            if (zone.EndsWith("." + apex, StringComparison.Ordinal))
                Write(zone[..^(apex.Length + 1)], "NS", "ns.outside.invalid.");
        for (int left = 70; left > 0; left--) Add(NextName(), random.Next(20));
        return _text.ToString();
    }

    private void Add(string owner, int kind)
    {
        string[] below = [.. Above(owner).Where(name => name != owner)];
        bool isBelowCut = below.Any(name => Has(name, "NS"));
        if (below.Any(name => Has(name, "DNAME")) || Has(owner, "CNAME") || Has(owner, "NS") && kind != 0) return;
        if (isBelowCut) kind = kind % 2;
        bool isWildcard = owner.StartsWith('*'), isUnused = !_types.ContainsKey(owner);
        switch (kind)
        {
            case < 5: Write(owner, "A", $"192.0.2.{random.Next(256)}"); break;
            case < 7: Write(owner, "AAAA", $"2001:db8::{random.Next(1, 99)}"); break;
            case 7: Write(owner, "TXT", $"\"{new string('t', random.Next(200))}\""); break;
            case 8: Write(owner, "MX", $"{random.Next(9)} {NextTarget()}"); break;
            case 9: Write(owner, "SRV", $"0 0 {random.Next(99)} {NextTarget()}"); break;
            case < 14 when isUnused: Write(owner, "CNAME", NextTarget()); break;
            case < 16 when isUnused && !isWildcard && !_types.Keys.Any(name => Above(name).Contains(owner)):
                Write(owner, "DNAME", NextTarget());
                break;
            case >= 16 when isUnused && !isWildcard && !Above(owner).Any(name => name.StartsWith('*')): AddCut(owner);
            break;
        }
    }

    private void AddCut(string owner)
    {
        Write(owner, "NS", random.Next(3) == 0 ? "ns.outside.invalid." : $"ns.{owner}");
        if (random.Next(2) == 0) Write(owner, "NS", $"ns2.{owner}");
        if (random.Next(4) == 0) Write(owner, "DS", $"1 8 2 {new string('A', 64)}");
        foreach (string server in (string[])[$"ns.{owner}", $"ns2.{owner}"])
            if (random.Next(4) != 0) Write(server, "A", $"192.0.2.{random.Next(256)}");
    }

    private void Write(string owner, string type, string rdata)
    {
        if (!_types.TryGetValue(owner, out HashSet<string>? types)) _types[owner] = types = [];
        if (!types.Add(type + (type is "A" or "NS" ? rdata : "")) || type is "CNAME" or "DNAME" && types.Count > 1)
            return;
        types.Add(type);
        _text.Append($"{owner} {type} {rdata}\n");
    }

    private bool Has(string owner, string type) =>
        _types.TryGetValue(owner, out HashSet<string>? types) && types.Contains(type);

    /// <summary>A name and all above it, without the apex.</summary>
    private static IEnumerable<string> Above(string name)
    {
        for (; name.Contains('.'); name = name[(name.IndexOf('.') + 1)..]) yield return name;
        yield return name;
    }

    private string NextName() =>
        string.Join('.', Enumerable.Range(0, random.Next(1, 5)).Select(_ => Labels[random.Next(Labels.Length)]));

    private string NextTarget() => random.Next(10) switch
    {
        0 => "www.outside.invalid.",
        < 3 => $"{NextName().Replace('*', 'a')}.{zones[random.Next(zones.Count)]}.",
        _ => NextName().Replace('*', 'w'),
    };
}
