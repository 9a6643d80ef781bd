using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>
/// Phase 3: reading a question's name. The names are in random case, as resolvers send them: a scalar loop over
/// lower-case names would look better than it is.
/// </summary>
public class NameReading
{
    private const int Count = 256;
    private byte[][] _messages = [];

    /// <summary>Octets and labels of the name.</summary>
    [Params("17 octets, 3 labels", "33 octets, 4 labels", "74 octets, 34 labels", "104 octets, 8 labels",
        "255 octets, 4 labels")]
    public string Shape { get; set; } = "";

    /// <summary>Makes names of the shape.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        Random random = new(7);
        _messages = [.. Enumerable.Range(0, Count).Select(_ => Message(random))];
    }

    private byte[] Message(Random random)
    {
        int[] labels = Shape[..3].Trim() switch
        {
            "17" => [3, 7, 3],
            "33" => [10, 9, 7, 2],
            "74" => [.. Enumerable.Repeat(1, 32), 3, 4],
            "104" => [12, 12, 12, 12, 12, 12, 12, 11],
            _ => [63, 63, 63, 61],
        };
        // 64 octets behind the name, as a slot has them.
        byte[] message = new byte[12 + labels.Sum() + labels.Length + 1 + 64];
        int at = 12;
        foreach (int label in labels)
        {
            message[at++] = (byte)label;
            for (int i = 0; i < label; i++) message[at++] = (byte)((random.Next(2) == 0 ? 'a' : 'A') + random.Next(26));
        }
        return message;
    }

    /// <summary>Only lower-cased: into a span.</summary>
    [Benchmark(OperationsPerInvoke = Count)]
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public int LowerSpan()
    {
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        int sum = 0;
        foreach (byte[] message in _messages)
        {
            if (!WireName.TryMeasure(message.AsSpan(12), out int length)) return -1;
            WireName.ToLower(message.AsSpan(12, length), name);
            sum += name[1];
        }
        return sum;
    }

    /// <summary>Lower-cased with label offsets and the hashes of all suffixes.</summary>
    [Benchmark(OperationsPerInvoke = Count)]
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public ulong LookupName()
    {
        Unsafe.SkipInit(out LookupName name);
        ulong sum = 0;
        foreach (byte[] message in _messages)
            if (name.TryRead(message, 12, message.Length)) sum += name.Hash;
        return sum;
    }
}
