using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Dns.Bench;

/// <summary>How names are written to a message: the rows of phase 5.</summary>
internal interface INameRendering
{
    /// <summary>Starts a message whose question has this name.</summary>
    void Begin(ReadOnlySpan<byte> question);

    /// <summary>Writes a lower-case name and moves the position past it.</summary>
    void Write(Span<byte> message, ref int position, ReadOnlySpan<byte> name);
}

/// <summary>Every name in full.</summary>
internal struct PlainNames : INameRendering
{
    public readonly void Begin(ReadOnlySpan<byte> question)
    {
    }

    public readonly void Write(Span<byte> message, ref int position, ReadOnlySpan<byte> name)
    {
        name.CopyTo(message[position..]);
        position += name.Length;
    }
}

/// <summary>The production hash set of offsets.</summary>
internal struct HashedNames : INameRendering
{
    private NameCompressor _names;
    private LookupName _question;

    public void Begin(ReadOnlySpan<byte> question)
    {
        _question.Set(question);
        _names.Reset();
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public void Write(Span<byte> message, ref int position, ReadOnlySpan<byte> name)
    {
        Unsafe.SkipInit(out LookupName lookup);
        lookup.Set(name);
        int target = _names.Find(message, in _question, in lookup, out int skip);
        int start = position, octets = lookup.Start(skip);
        name[..octets].CopyTo(message[position..]);
        position += octets;
        if (target < 0) message[position++] = 0;
        else
        {
            BinaryPrimitives.WriteUInt16BigEndian(message[position..], (ushort)(0xC000 | target));
            position += 2;
        }
        for (int i = 0; i < skip; i++) _names.Add(lookup.SuffixHash(i), start + lookup.Start(i));
    }
}
