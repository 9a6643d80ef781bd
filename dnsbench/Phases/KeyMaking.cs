using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>Phase 4: the key of a question, made from its octets, and its hash.</summary>
public class KeyMaking
{
    /// <summary>The key that needs no memory: the hash of the name, type and class.</summary>
    internal readonly record struct QuestionKey(ulong NameHash, RRType Type, RRClass Class)
    {
        public override int GetHashCode() => (int)NameHash ^ (int)Type << 16 ^ (int)Class;
    }

    private readonly byte[] _query = [.. SampleMessages.Query, .. new byte[64]];
    private readonly int _octets = SampleMessages.Query.Length;
    private readonly QuestionKey _key = new(NameHash.Root, RRType.A, RRClass.IN);

    /// <summary>Key of a zone: the hash of the name.</summary>
    [Benchmark]
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public ulong ZoneStruct()
    {
        Unsafe.SkipInit(out LookupName name);
        return name.TryRead(_query, 12, _octets) ? name.SuffixHash(1) : 0;
    }

    /// <summary>Key of a request: hash, type and class.</summary>
    [Benchmark]
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public int RequestStruct()
    {
        Unsafe.SkipInit(out LookupName name);
        return name.TryRead(_query, 12, _octets) ? new QuestionKey(name.Hash, RRType.A, RRClass.IN).GetHashCode() : 0;
    }

    /// <summary>The hash of a struct key.</summary>
    [Benchmark]
    public int HashOfStruct() => _key.GetHashCode();
}
