namespace Dns.Zones.Ordering;

/// <summary>
/// A name of a zone as octets that sort in canonical order (RFC 4034 §6.1): label by label from the apex on, each
/// followed by 0. An octet 0 or 1 of a label is written as two, 1 and the octet plus one.
/// </summary>
internal static class CanonicalKey
{
    internal const int MaxOctets = 2 * WireName.MaxOctets;

    private const byte End = 0;
    private const byte Escape = 1;

    /// <summary>Writes the key of a lower-case name at or below the apex, and returns its length.</summary>
    /// <param name="key">Receives up to <see cref="MaxOctets"/> octets.</param>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal static int Write(ReadOnlySpan<byte> name, int apexOctets, Span<byte> key)
    {
        Span<byte> starts = stackalloc byte[WireName.MaxLabels];
        int count = 0, own = name.Length - apexOctets;
        for (int at = 0; at < own; at += name[at] + 1) starts[count++] = (byte)at;
        int length = 0;
        while (--count >= 0)
        {
            ReadOnlySpan<byte> label = name.Slice(starts[count] + 1, name[starts[count]]);
            if (label.IndexOfAnyInRange(End, Escape) >= 0) length += WriteEscaped(label, key[length..]);
            else
            {
                label.CopyTo(key[length..]);
                length += label.Length;
            }
            key[length++] = End;
        }
        return length;
    }

    private static int WriteEscaped(ReadOnlySpan<byte> label, Span<byte> key)
    {
        int length = 0;
        foreach (byte octet in label)
        {
            if (octet <= Escape) key[length++] = Escape;
            key[length++] = octet <= Escape ? (byte)(octet + 1) : octet;
        }
        return length;
    }

    /// <summary>Eight octets of a key as a comparable number, padded with 0.</summary>
    internal static ulong Part(ReadOnlySpan<byte> key, int from)
    {
        Span<byte> part = stackalloc byte[sizeof(ulong)];
        part.Clear();
        if (from < key.Length) key[from..Math.Min(key.Length, from + sizeof(ulong))].CopyTo(part);
        return BinaryPrimitives.ReadUInt64BigEndian(part);
    }
}
