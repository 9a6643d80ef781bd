using System.Buffers.Binary;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>
/// Phase 1: fields of 16 and 32 bits, as the header and the fixed part of a record have them.
/// </summary>
public class WireFields
{
    private const int Fields = 4;
    private readonly byte[] _message = [.. SampleMessages.OneAddress];

    /// <summary>The four counts of the header.</summary>
    [Benchmark(OperationsPerInvoke = Fields)]
    public int Read16()
    {
        int sum = 0;
        for (int section = 0; section < Fields; section++) sum += MessageHeader.Count(_message, section);
        return sum;
    }

    /// <summary>Sets the four counts of the header.</summary>
    [Benchmark(OperationsPerInvoke = Fields)]
    public void Write16()
    {
        for (int section = 0; section < Fields; section++) MessageHeader.SetCount(_message, section, 1);
    }

    /// <summary>32 bits as TTLs are read.</summary>
    [Benchmark(OperationsPerInvoke = Fields)]
    public uint Read32()
    {
        uint sum = 0;
        for (int at = 12; at < 12 + Fields * 4; at += 4)
            sum += BinaryPrimitives.ReadUInt32BigEndian(_message.AsSpan(at));
        return sum;
    }
}
