using System.Collections.Concurrent;
using System.Collections.Frozen;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>
/// Phase 4: indexes of names, hit and miss, hash of the name included. Large numbers of names are the matter of the
/// command <c>names</c>, which does not hold all indexes at once.
/// </summary>
public class KeyIndexes
{
    private const int Probes = 1024;
    private NameSample _sample = null!;
    private IndexedNames _index;
    private Dictionary<ulong, uint> _dictionary = [];
    private ConcurrentDictionary<ulong, uint> _concurrent = new();
    private FrozenDictionary<ulong, uint> _frozen = FrozenDictionary<ulong, uint>.Empty;
    private Dictionary<string, uint> _strings = [];
    private byte[][] _wanted = [];
    private string[] _wantedText = [];

    /// <summary>Names in the index.</summary>
    [Params(1_000, 100_000)]
    public int Names { get; set; }

    /// <summary>Whether the queried names exist.</summary>
    [Params(true, false)]
    public bool Hit { get; set; }

    /// <summary>Builds every index over the same names.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        _sample = new NameSample(Names);
        _index = new IndexedNames(_sample);
        _dictionary = new(Names);
        _strings = new(Names);
        for (int i = 0; i < Names; i++)
        {
            _dictionary[NameHash.Compute(_sample[i])] = _sample.References[i];
            _strings[NameText.ToText(_sample[i])] = _sample.References[i];
        }
        _concurrent = new(_dictionary);
        _frozen = _dictionary.ToFrozenDictionary();
        Random random = new(3);
        _wanted = [.. Enumerable.Range(0, Probes).Select(_ => Wanted(random))];
        _wantedText = [.. _wanted.Select(name => NameText.ToText(name))];
    }

    private byte[] Wanted(Random random)
    {
        byte[] name = [.. _sample[random.Next(Names)]];
        if (!Hit) name[2] = (byte)'!';
        return name;
    }

    /// <summary>The production table, name verified.</summary>
    [Benchmark(OperationsPerInvoke = Probes)]
    public uint OurIndex()
    {
        uint sum = 0;
        foreach (byte[] name in _wanted) sum += _index.Find(name);
        return sum;
    }

    /// <summary>Dictionary over the hash, name verified.</summary>
    [Benchmark(OperationsPerInvoke = Probes)]
    public uint DictionaryOfHashes()
    {
        uint sum = 0;
        foreach (byte[] name in _wanted)
            if (_dictionary.TryGetValue(NameSample.Hash(name), out uint i) && _sample.IsAt(i, name)) sum += i;
        return sum;
    }

    /// <summary>ConcurrentDictionary over the hash, name verified.</summary>
    [Benchmark(OperationsPerInvoke = Probes)]
    public uint ConcurrentOfHashes()
    {
        uint sum = 0;
        foreach (byte[] name in _wanted)
            if (_concurrent.TryGetValue(NameSample.Hash(name), out uint i) && _sample.IsAt(i, name)) sum += i;
        return sum;
    }

    /// <summary>FrozenDictionary over the hash, name verified.</summary>
    [Benchmark(OperationsPerInvoke = Probes)]
    public uint FrozenOfHashes()
    {
        uint sum = 0;
        foreach (byte[] name in _wanted)
            if (_frozen.TryGetValue(NameSample.Hash(name), out uint i) && _sample.IsAt(i, name)) sum += i;
        return sum;
    }

    /// <summary>Baseline: Dictionary over strings that were there already.</summary>
    [Benchmark(OperationsPerInvoke = Probes)]
    public uint DictionaryOfReadyStrings()
    {
        uint sum = 0;
        foreach (string name in _wantedText)
            if (_strings.TryGetValue(name, out uint i)) sum += i;
        return sum;
    }

    /// <summary>Baseline: Dictionary over strings made for the lookup.</summary>
    [Benchmark(OperationsPerInvoke = Probes, Baseline = true)]
    public uint DictionaryOfStrings()
    {
        uint sum = 0;
        foreach (byte[] name in _wanted)
        {
            int position = 0;
            if (_strings.TryGetValue(TextNames.Read(name, ref position).ToLowerInvariant(), out uint i)) sum += i;
        }
        return sum;
    }
}
