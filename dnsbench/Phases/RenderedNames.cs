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

/// <summary>A list of all suffixes; length and first octets are compared before the name.</summary>
internal struct ListedNames : INameRendering
{
    private const int MaxEntries = 96;

    private record struct Entry(int Length, ulong First, int Offset);

    [InlineArray(MaxEntries)]
    private struct Entries
    {
        private Entry _first;
    }

    private Entries _entries;
    private int _count;

    public void Begin(ReadOnlySpan<byte> question)
    {
        _count = 0;
        for (int at = 0; question[at] != 0; at += question[at] + 1)
            Add(question[at..], MessageHeader.LengthOctets + at);
    }

    public void Write(Span<byte> message, ref int position, ReadOnlySpan<byte> name)
    {
        int start = position;
        for (int at = 0; name[at] != 0; at += name[at] + 1)
        {
            ReadOnlySpan<byte> suffix = name[at..];
            int target = Find(message, suffix);
            if (target < 0)
            {
                Add(suffix, start + at);
                continue;
            }
            name[..at].CopyTo(message[position..]);
            BinaryPrimitives.WriteUInt16BigEndian(message[(position + at)..], (ushort)(0xC000 | target));
            position += at + 2;
            return;
        }
        name.CopyTo(message[position..]);
        position += name.Length;
    }

    private readonly int Find(ReadOnlySpan<byte> message, ReadOnlySpan<byte> suffix)
    {
        ulong first = FirstOctets(suffix);
        for (int i = 0; i < _count; i++)
        {
            Entry entry = _entries[i];
            if (entry.Length == suffix.Length && entry.First == first && IsNameAt(message, entry.Offset, suffix))
                return entry.Offset;
        }
        return -1;
    }

    private void Add(ReadOnlySpan<byte> suffix, int offset)
    {
        if (_count < MaxEntries) _entries[_count++] = new Entry(suffix.Length, FirstOctets(suffix), offset);
    }

    private static ulong FirstOctets(ReadOnlySpan<byte> suffix)
    {
        if (suffix.Length >= sizeof(ulong)) return BinaryPrimitives.ReadUInt64LittleEndian(suffix);
        ulong first = 0;
        foreach (byte octet in suffix) first = first << 8 | octet;
        return first;
    }

    private static bool IsNameAt(ReadOnlySpan<byte> message, int offset, ReadOnlySpan<byte> name)
    {
        for (int at = 0; ;)
        {
            int label = message[offset];
            if (label >= 0xC0)
            {
                offset = (label & 0x3F) << 8 | message[offset + 1];
                continue;
            }
            if (!message.Slice(offset, label + 1).SequenceEqual(name.Slice(at, label + 1))) return false;
            if (label == 0) return true;
            offset += label + 1;
            at += label + 1;
        }
    }
}
