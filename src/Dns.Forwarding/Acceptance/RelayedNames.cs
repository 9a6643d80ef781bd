using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>
/// The names of an answer that later names can point to (RFC 1035 §4.1.4): a hash set of offsets with a bound; behind it
/// names still find the early ones. Not safe to share between threads.
/// </summary>
internal sealed class RelayedNames
{
    private const int Slots = 256;
    private const int MaxEntries = 192;
    private const int MaxOffset = 0x3FFF;

    // The upper sixteen bits of a suffix' hash, and its offset; offsets are never 0.
    private readonly uint[] _table = new uint[Slots];
    private int _count;

    /// <summary>Forgets all names but those of the question at offset 12.</summary>
    public void Begin(in LookupName question)
    {
        Array.Clear(_table);
        _count = 0;
        for (int skip = question.LabelCount - 1; skip >= 0; skip--)
            Add(question.SuffixHash(skip), MessageHeader.LengthOctets + question.Start(skip));
    }

    /// <summary>Writes a name at <paramref name="position"/>, its end as a pointer where that is possible.</summary>
    /// <param name="name">The name.</param>
    /// <param name="spelling">The same name in the spelling to be written.</param>
    /// <param name="message">The message so far, with room for the longest name.</param>
    /// <param name="position">Moved behind the name.</param>
    public void Write(in LookupName name, ReadOnlySpan<byte> spelling, Span<byte> message, ref int position)
    {
        int offset = Find(in name, message[..position], out int skipped);
        int octets = offset < 0 ? name.Length : name.Start(skipped);
        spelling[..octets].CopyTo(message[position..]);
        for (int skip = 0; skip < skipped; skip++) Add(name.SuffixHash(skip), position + name.Start(skip));
        position += octets;
        if (offset < 0) return;
        message[position++] = (byte)(0xC0 | offset >> 8);
        message[position++] = (byte)offset;
    }

    private int Find(in LookupName name, ReadOnlySpan<byte> message, out int skipped)
    {
        for (skipped = 0; skipped < name.LabelCount; skipped++)
        {
            ulong hash = name.SuffixHash(skipped);
            uint tag = (uint)(hash >> 48) << 16;
            for (int i = (int)hash & (Slots - 1); _table[i] != 0; i = (i + 1) & (Slots - 1))
            {
                if ((_table[i] & 0xFFFF0000) != tag) continue;
                int offset = (int)(_table[i] & 0xFFFF);
                if (name.IsSuffixAt(skipped, message, offset)) return offset;
            }
        }
        return -1;
    }

    private void Add(ulong hash, int offset)
    {
        if (offset > MaxOffset || _count == MaxEntries) return;
        int i = (int)hash & (Slots - 1);
        while (_table[i] != 0) i = (i + 1) & (Slots - 1);
        _table[i] = (uint)(hash >> 48) << 16 | (uint)offset;
        _count++;
    }
}
