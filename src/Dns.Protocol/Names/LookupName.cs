using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Dns.Protocol;

/// <summary>
/// A name made ready for lookup: its lower-case octets, where each label starts, and its hash. A suffix is hashed when it is
/// asked for.
/// </summary>
/// <remarks>
/// About 430 bytes that live on the stack, and are never cleared: only the part that the name fills is meaningful, and
/// <see cref="NameHash.Slack"/> octets of zero behind it. Not safe to share between threads; owns its octets.
/// </remarks>
public struct LookupName
{
    // Lowering stores whole vectors, and zeros follow the name.
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

    /// <summary>Number of labels, the root label not counted, 0 to 127.</summary>
    public readonly int LabelCount => _labelCount;

    /// <summary>The hash of the whole name.</summary>
    public readonly ulong Hash => _hash;

    /// <summary>The lower-case octets of the whole name.</summary>
    [UnscopedRef]
    public readonly ReadOnlySpan<byte> Octets => ((ReadOnlySpan<byte>)_octets)[.._length];

    /// <summary>Where the suffix begins that leaves out the first <paramref name="skippedLabels"/> labels.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int Start(int skippedLabels) => _starts[skippedLabels];

    /// <summary>The hash of the suffix that leaves out the first <paramref name="skippedLabels"/> labels.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong SuffixHash(int skippedLabels)
    {
        if (skippedLabels == 0) return _hash;
        int start = _starts[skippedLabels];
        // A start is below the length, at most 254, and zeros follow the name.
        return NameHash.OfPadded(in Unsafe.Add(ref FirstOctet, start), _length - start);
    }

    private readonly ref byte FirstOctet
    {
        [UnscopedRef]
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Unsafe.As<OctetBuffer, byte>(ref Unsafe.AsRef(in _octets));
    }

    /// <summary>The suffix that leaves out the first <paramref name="skippedLabels"/> labels (0 to <see cref="LabelCount"/>).</summary>
    [UnscopedRef]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ReadOnlySpan<byte> Suffix(int skippedLabels)
    {
        if (skippedLabels == 0) return Octets;
        int start = _starts[skippedLabels];
        return ((ReadOnlySpan<byte>)_octets).Slice(start, _length - start);
    }

    /// <summary>
    /// Whether the possibly compressed name at <paramref name="offset"/> of a message is, in any spelling, the suffix that
    /// leaves out the first <paramref name="skippedLabels"/> labels. False for anything malformed.
    /// </summary>
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
            // Equal to a length of ours, so at most 63; the root ends both names.
            if (label != Unsafe.Add(ref octets, at)) return false;
            if (label == 0) return true;
            if (!IsLabelAt(ref Unsafe.Add(ref octets, at + 1), message, offset + 1, label)) return false;
            at += label + 1;
            offset += label + 1;
        }
        return false;
    }

    /// <summary>Compares a label eight octets at a time: ours has slack behind it, the message mostly has.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsLabelAt(ref byte own, ReadOnlySpan<byte> message, int offset, int length)
    {
        int rounded = (length + 7) & ~7;
        if (offset + rounded > message.Length || !BitConverter.IsLittleEndian)
            return offset + length <= message.Length
                && WireName.EqualsIgnoreCase(message.Slice(offset, length), MemoryMarshal.CreateReadOnlySpan(ref own, length));
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

    /// <summary>
    /// Reads an uncompressed name at <paramref name="position"/>, as a question has it: a question is the first
    /// thing in its message, so a pointer there could only lead into the header, and is refused.
    /// </summary>
    /// <param name="buffer">Holds the message; what lies behind its end may be read but has no influence.</param>
    /// <param name="position">Where the name starts.</param>
    /// <param name="end">Where the message ends.</param>
    /// <returns>False if the name is malformed, compressed, or runs past the message.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead(ReadOnlySpan<byte> buffer, int position, int end)
    {
        if (!TryWalk(buffer, position, end)) return false;
        WireName.ToLowerPadded(buffer[position..], _octets, _length);
        Finish();
        return true;
    }

    /// <summary>Reads the possibly compressed name at <paramref name="position"/> and moves the position behind it.</summary>
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

    /// <summary>Takes a valid uncompressed name in any spelling.</summary>
    public void Set(ReadOnlySpan<byte> name)
    {
        if (!TryRead(name, 0, name.Length)) throw new ArgumentException("not a valid name in wire form", nameof(name));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryWalk(ReadOnlySpan<byte> buffer, int position, int end)
    {
        ReadOnlySpan<byte> octets = buffer[position..end];
        // Whatever a label says, the next one, the root at least, has to start in the message and within 255 octets.
        int limit = Math.Min(octets.Length, WireName.MaxOctets), start = 0, count = 0;
        if (limit == 0) return false;
        ref byte first = ref MemoryMarshal.GetReference(octets);
        ref byte starts = ref Unsafe.As<StartBuffer, byte>(ref _starts);
        while (true)
        {
            // The start is below the limit. Labels are 2 octets or more, so at most 127 of them come before it.
            int label = Unsafe.Add(ref first, start);
            Unsafe.Add(ref starts, count) = (byte)start;
            if (label == 0) break;
            start += label + 1;
            if (label > WireName.MaxLabelOctets || start >= limit) return false;
            count++;
        }
        _labelCount = count;
        _length = start + 1;
        return true;
    }

    /// <summary>Puts zeros behind the octets, and hashes them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Finish()
    {
        ref byte octets = ref FirstOctet;
        // The buffer has the slack behind the longest name.
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref octets, _length), Vector128<byte>.Zero);
        _hash = NameHash.OfPadded(in octets, _length);
    }
}
