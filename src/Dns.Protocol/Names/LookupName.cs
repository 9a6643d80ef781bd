using System.Runtime.Intrinsics;

namespace Dns.Protocol.Names;

/// <summary>A name as a lookup key: lower-case octets, label offsets, hash. Suffixes are hashed on demand.</summary>
/// <remarks>
/// About 430 bytes on the stack, never cleared: only the part that the name fills is defined, and
/// <see cref="NameHash.Slack"/> octets of zero behind it. Not thread-safe; owns its octets.
/// </remarks>
public struct LookupName
{
    // Vector stores write past the name, and zeros follow it.
    [InlineArray(WireName.MaxOctets + 1 + NameHash.Slack)]
    private struct OctetBuffer
    {
        private byte _first;
    }

    [InlineArray(WireName.MaxLabels + 1)]
    private struct StartBuffer
    {
        private byte _first;
    }

    private ulong _hash;
    private int _length;
    private int _labelCount;
    private OctetBuffer _octets;
    private StartBuffer _starts;

    /// <summary>Length of the name in octets, 1 to 255.</summary>
    public readonly int Length => _length;

    /// <summary>The number of labels without the root label, 0 to 127.</summary>
    public readonly int LabelCount => _labelCount;

    /// <summary>The hash of the whole name.</summary>
    public readonly ulong Hash => _hash;

    /// <summary>The lower-case octets of the whole name.</summary>
    [UnscopedRef]
    public readonly ReadOnlySpan<byte> Octets => ((ReadOnlySpan<byte>)_octets)[.._length];

    /// <summary>The offset of the suffix without the first <paramref name="skippedLabels"/> labels.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int Start(int skippedLabels) => _starts[skippedLabels];

    /// <summary>The hash of the suffix without the first <paramref name="skippedLabels"/> labels.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong SuffixHash(int skippedLabels)
    {
        if (skippedLabels == 0) return _hash;
        int start = _starts[skippedLabels];
        // In range: a start is below the length, at most 254, and zeros follow the name.
        return NameHash.OfPadded(in Unsafe.Add(ref FirstOctet, start), _length - start);
    }

    private readonly ref byte FirstOctet
    {
        [UnscopedRef]
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Unsafe.As<OctetBuffer, byte>(ref Unsafe.AsRef(in _octets));
    }

    /// <summary>The suffix without the first 0 to <see cref="LabelCount"/> labels.</summary>
    [UnscopedRef]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ReadOnlySpan<byte> Suffix(int skippedLabels)
    {
        if (skippedLabels == 0) return Octets;
        int start = _starts[skippedLabels];
        return ((ReadOnlySpan<byte>)_octets).Slice(start, _length - start);
    }

    /// <summary>Whether a possibly compressed name equals a suffix, ignoring case. False if it is malformed.</summary>
    public readonly bool IsSuffixAt(int skippedLabels, ReadOnlySpan<byte> message, int offset)
    {
        ref byte octets = ref FirstOctet;
        int at = _starts[skippedLabels], limit = offset;
        while ((uint)offset < (uint)message.Length)
        {
            int label = message[offset];
            if (label >= 0xC0)
            {
                if (!WireName.TryFollow(message, ref offset, ref limit)) return false;
                continue;
            }
            // Equals one of our length octets, so at most 63; the root ends both names.
            if (label != Unsafe.Add(ref octets, at)) return false;
            if (label == 0) return true;
            if (!IsLabelAt(ref Unsafe.Add(ref octets, at + 1), message, offset + 1, label)) return false;
            at += label + 1;
            offset += label + 1;
        }
        return false;
    }

    /// <summary>Compares a label eight octets at a time: this name has slack behind it, most messages have.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsLabelAt(ref byte own, ReadOnlySpan<byte> message, int offset, int length)
    {
        int rounded = (length + 7) & ~7;
        if (offset + rounded > message.Length || !BitConverter.IsLittleEndian)
            return offset + length <= message.Length
                && WireName.EqualsIgnoreCase(message.Slice(offset, length),
                    MemoryMarshal.CreateReadOnlySpan(ref own, length));
        ref byte other = ref Unsafe.Add(ref MemoryMarshal.GetReference(message), offset);
        for (int i = 0; i < rounded; i += 8)
        {
            ulong difference = WireName.ToLower(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref other, i)))
                ^ Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref own, i));
            int left = length - i;
            if (left < 8) difference <<= 64 - left * 8;
            if (difference != 0) return false;
        }
        return true;
    }

    /// <summary>Reads an uncompressed name, as in a question, where pointers could only lead into the header.</summary>
    /// <param name="buffer">Contains the message; octets behind its end may be read but have no influence.</param>
    /// <param name="end">The end of the message.</param>
    /// <returns>False if the name is malformed, compressed, or exceeds the message.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead(ReadOnlySpan<byte> buffer, int position, int end)
    {
        if (!TryWalk(buffer, position, end)) return false;
        WireName.ToLowerPadded(buffer[position..], _octets, _length);
        Finish();
        return true;
    }

    /// <summary>Reads a possibly compressed name and moves <paramref name="position"/> behind it.</summary>
    /// <returns>False, with the position untouched, if the name is malformed.</returns>
    public bool TryExpand(ReadOnlySpan<byte> message, ref int position)
    {
        if (!WireName.TryExpand(message, ref position, _octets, out int length)) return false;
        Span<byte> octets = ((Span<byte>)_octets)[..length];
        WireName.ToLower(octets, octets);
        TryWalk(octets, 0, length);
        Finish();
        return true;
    }

    /// <summary>Sets a valid uncompressed name in any letter case.</summary>
    public void Set(ReadOnlySpan<byte> name)
    {
        if (!TryRead(name, 0, name.Length)) throw new ArgumentException("not a valid name in wire form", nameof(name));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryWalk(ReadOnlySpan<byte> buffer, int position, int end)
    {
        ReadOnlySpan<byte> octets = buffer[position..end];
        // Each label must start within the message and within 255 octets, the root label included.
        nuint limit = (uint)Math.Min(octets.Length, WireName.MaxOctets), start = 0, count = 0;
        if (limit == 0) return false;
        ref byte first = ref MemoryMarshal.GetReference(octets);
        ref byte starts = ref Unsafe.As<StartBuffer, byte>(ref _starts);
        while (true)
        {
            // In range: the start is below the limit. Labels take 2 octets or more, so at most 127 precede it.
            uint label = Unsafe.Add(ref first, start);
            Unsafe.Add(ref starts, count) = (byte)start;
            if (label == 0) break;
            start += label + 1;
            if (label > WireName.MaxLabelOctets || start >= limit) return false;
            count++;
        }
        _labelCount = (int)count;
        _length = (int)start + 1;
        return true;
    }

    /// <summary>Appends zeros, and computes the hash.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Finish()
    {
        ref byte octets = ref FirstOctet;
        // The buffer has slack behind the longest name.
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref octets, _length), Vector128<byte>.Zero);
        _hash = NameHash.OfPadded(in octets, _length);
    }
}
