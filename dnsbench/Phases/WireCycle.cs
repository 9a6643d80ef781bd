using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>
/// Phase 1: the full request cycle from received octets to octets to be sent, a round trip of a message through the
/// parser, and many compressed names against few long ones.
/// </summary>
public class WireCycle
{
    private const int Names = 32;
    private readonly byte[] _slot = new byte[1232];
    private readonly byte[] _received = [.. SampleMessages.Query, .. new byte[512]];
    private readonly ObjectServer _objects = new();
    private byte[] _compressed = [];
    private byte[] _long = [];

    /// <summary>Fills the baseline's table and lays out names.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        for (int i = 0; i < 1000; i++)
            _objects.Add(new ObjectRecord($"host{i}.example.com.", 1, 1, 300, [192, 0, 2, (byte)i]));
        _objects.Add(new ObjectRecord(SampleMessages.Short, 1, 1, 300, [192, 0, 2, 1]));
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

    /// <summary>Baseline: new array, objects, string key, stream.</summary>
    [Benchmark(Baseline = true)]
    public byte[] RequestCycleOfObjects() => _objects.Respond(_received, SampleMessages.Query.Length);

    /// <summary>Baseline: parsed into objects and written again.</summary>
    [Benchmark]
    public byte[] RoundTripOfObjects()
    {
        using MemoryStream output = new();
        ObjectMessage.Parse(SampleMessages.OneAddress).Write(output);
        return output.ToArray();
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

    /// <summary>Baseline: the compressed names by StringBuilder.</summary>
    [Benchmark(OperationsPerInvoke = Names)]
    public int ManyCompressedLabelsOfObjects()
    {
        int sum = 0;
        for (int i = 0; i < Names; i++)
        {
            int position = 27 + i * 4;
            sum += TextNames.Read(_compressed, ref position).Length;
        }
        return sum;
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong Expand(byte[] message, int position)
    {
        Unsafe.SkipInit(out LookupName name);
        return name.TryExpand(message, ref position) ? name.Hash : throw new InvalidDataException("not a name");
    }
}
