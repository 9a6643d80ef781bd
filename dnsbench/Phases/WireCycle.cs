using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>
/// Phase 1: the full request cycle from received octets to octets to be sent, and many compressed names against
/// few long ones.
/// </summary>
public class WireCycle
{
    private const int Names = 32;
    private readonly byte[] _slot = new byte[1232];
    private readonly byte[] _received = [.. SampleMessages.Query, .. new byte[512]];
    private byte[] _compressed = [];
    private byte[] _long = [];

    /// <summary>Lays out names.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        // Each label followed by a pointer to the name before it: 32 labels in the last.
        byte[] head = QueryText.Encode("x.example.com.", RRType.A)[..27];
        List<byte> message = [.. head];
        int before = 12;
        for (int i = 0; i < Names; i++)
        {
            int at = message.Count;
            message.AddRange([1, (byte)('a' + i % 26), (byte)(0xC0 | before >> 8), (byte)before]);
            before = at;
        }
        _compressed = [.. message];
        string label = new('y', 60);
        _long = QueryText.Encode($"{label}.{label}.{label}.example.com.", RRType.A);
    }

    /// <summary>Copy into the slot, read, look up, write: the production path.</summary>
    [Benchmark]
    public int RequestCycle()
    {
        int octets = SampleMessages.Query.Length;
        _received.AsSpan(0, octets).CopyTo(_slot);
        QueryOrigin origin = default;
        origin.Client.Port = 1;
        return SampleMessages.Responder.Respond(_slot, octets, ref origin);
    }

    /// <summary>32 names, each one label in front of the name before: 560 labels behind pointers.</summary>
    [Benchmark(OperationsPerInvoke = Names)]
    public ulong ManyCompressedLabels()
    {
        ulong sum = 0;
        for (int i = 0; i < Names; i++) sum += Expand(_compressed, 27 + i * 4);
        return sum;
    }

    /// <summary>32 times one uncompressed name of 197 octets.</summary>
    [Benchmark(OperationsPerInvoke = Names)]
    public ulong FewLongNames()
    {
        ulong sum = 0;
        for (int i = 0; i < Names; i++) sum += Expand(_long, 12);
        return sum;
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong Expand(byte[] message, int position)
    {
        Unsafe.SkipInit(out LookupName name);
        return name.TryExpand(message, ref position) ? name.Hash : throw new InvalidDataException("not a name");
    }
}
