using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>Phase 1: reading a name of 3 labels, of 7, and by compression pointer.</summary>
public class WireNames
{
    private byte[] _message = [];
    private int _position;

    /// <summary>Where the name comes from.</summary>
    [Params("3 labels", "7 labels", "pointer")]
    public string Name { get; set; } = "";

    /// <summary>Lays the message out.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        _message = Name == "pointer" ? SampleMessages.OneAddress
            : QueryText.Encode(Name == "3 labels" ? SampleMessages.Short : SampleMessages.Long, RRType.A);
        _position = Name == "pointer" ? 12 + 17 + 4 : 12;
    }

    /// <summary>Lower-cased with the hashes of all suffixes, on the stack.</summary>
    [Benchmark]
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public ulong LookupName()
    {
        Unsafe.SkipInit(out LookupName name);
        int position = _position;
        if (Name == "pointer") return name.TryExpand(_message, ref position) ? name.Hash : 0;
        return name.TryRead(_message, position, _message.Length) ? name.Hash : 0;
    }

    /// <summary>Expanded with its spelling kept, on the stack.</summary>
    [Benchmark]
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public int ExpandedSpan()
    {
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        int position = _position;
        return WireName.TryExpand(_message, ref position, name, out int length) ? length : 0;
    }
}
