using System.Numerics;
using System.Runtime.Intrinsics;

namespace Dns.Protocol.Names;

/// <summary>
/// Operations on domain names in wire form (RFC 1035 §3.1): a sequence of length-prefixed labels that ends in the empty
/// root label. Every span is a whole uncompressed name unless stated otherwise.
/// </summary>
/// <remarks>
/// Names are 8-bit clean. Only the octets A to Z have two cases (RFC 4343); a length octet is 0 to 63 and never in that
/// range, so a whole name can be lowered without parsing its labels. Nothing here allocates or throws.
/// </remarks>
public static class WireName
{
    /// <summary>The longest name, length octets and root label included (RFC 1035 §2.3.4).</summary>
    public const int MaxOctets = 255;

    /// <summary>The longest label, without its length octet (RFC 1035 §2.3.4).</summary>
    public const int MaxLabelOctets = 63;

    /// <summary>The maximum number of labels without the root label.</summary>
    public const int MaxLabels = 127;

    /// <summary>Pointers followed for one name: one behind each label. The bound prevents quadratic work.</summary>
    public const int MaxPointers = MaxLabels;

    /// <summary>The root name.</summary>
    public static ReadOnlySpan<byte> Root => [0];

    /// <summary>Measures the uncompressed name at the start of <paramref name="octets"/>; more may follow.</summary>
    /// <returns>False if the name is incomplete, longer than 255 octets or has other than plain labels.</returns>
    public static bool TryMeasure(ReadOnlySpan<byte> octets, out int lengthOctets)
    {
        int position = 0;
        while ((uint)position < (uint)octets.Length)
        {
            int label = octets[position];
            if (label == 0)
            {
                lengthOctets = position + 1;
                return lengthOctets <= MaxOctets;
            }
            if (label > MaxLabelOctets) break;
            position += label + 1;
        }
        lengthOctets = 0;
        return false;
    }

    /// <summary>Whether <paramref name="octets"/> is exactly one well-formed uncompressed name.</summary>
    public static bool IsValid(ReadOnlySpan<byte> octets) =>
        TryMeasure(octets, out int length) && length == octets.Length;

    /// <summary>Expands a name in its letter case into at least 255 octets, and moves the position behind it.</summary>
    /// <remarks>Pointers must lead backwards (RFC 1035 §4.1.4) and not into the header: there are no loops.</remarks>
    /// <returns>False, with the position unchanged, if the name is malformed.</returns>
    public static bool TryExpand(
        ReadOnlySpan<byte> message, ref int position, Span<byte> destination, out int lengthOctets)
    {
        int cursor = position, limit = position, end = -1, written = 0, pointers = 0;
        lengthOctets = 0;
        while ((uint)cursor < (uint)message.Length)
        {
            int label = message[cursor];
            if (label == 0)
            {
                destination[written] = 0;
                lengthOctets = written + 1;
                position = end < 0 ? cursor + 1 : end;
                return true;
            }
            if (label >= 0xC0)
            {
                if (cursor + 1 >= message.Length) return false;
                int target = (label & 0x3F) << 8 | message[cursor + 1];
                if (target >= limit || target < MessageHeader.LengthOctets || ++pointers > MaxPointers) return false;
                if (end < 0) end = cursor + 2;
                cursor = limit = target;
                continue;
            }
            if (label > MaxLabelOctets || cursor + 1 + label > message.Length) return false;
            // Leaves room for the root label.
            if (written + 1 + label >= MaxOctets) return false;
            message.Slice(cursor, label + 1).CopyTo(destination[written..]);
            written += label + 1;
            cursor += label + 1;
        }
        return false;
    }

    /// <summary>Moves <paramref name="position"/> behind a possibly compressed name; follows no pointers.</summary>
    /// <param name="origin">The offset of these octets in the message that pointers refer to.</param>
    /// <returns>False if it is incomplete, has labels other than plain ones and pointers, or points forward.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TrySkip(ReadOnlySpan<byte> message, ref int position, int origin = 0)
    {
        // Most owners are a single pointer.
        int cursor = position;
        if ((uint)cursor >= (uint)message.Length || message[cursor] < 0xC0)
            return TrySkipSlow(message, ref position, origin);
        if ((uint)(cursor + 1) >= (uint)message.Length) return false;
        if (((message[cursor] & 0x3F) << 8 | message[cursor + 1]) >= cursor + origin) return false;
        position = cursor + 2;
        return true;
    }

    private static bool TrySkipSlow(ReadOnlySpan<byte> message, ref int position, int origin)
    {
        int cursor = position;
        while ((uint)cursor < (uint)message.Length)
        {
            int label = message[cursor];
            if (label == 0)
            {
                position = cursor + 1;
                return true;
            }
            if (label >= 0xC0)
            {
                if (cursor + 2 > message.Length || ((label & 0x3F) << 8 | message[cursor + 1]) >= cursor + origin)
                    return false;
                position = cursor + 2;
                return true;
            }
            if (label > MaxLabelOctets) return false;
            cursor += label + 1;
        }
        return false;
    }

    /// <summary>Follows a pointer, which must lead strictly backwards, so there are no loops.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryFollow(ReadOnlySpan<byte> message, ref int offset, ref int limit)
    {
        if (offset + 1 >= message.Length) return false;
        offset = (message[offset] & 0x3F) << 8 | message[offset + 1];
        if (offset >= limit) return false;
        limit = offset;
        return true;
    }

    /// <summary>The offset of the pointer that ends a name; -1 if the root label does, or it is malformed.</summary>
    public static int FindPointer(ReadOnlySpan<byte> octets, int position)
    {
        while ((uint)position < (uint)octets.Length)
        {
            int label = octets[position];
            if (label is 0 or > MaxLabelOctets) return label >= 0xC0 && position + 1 < octets.Length ? position : -1;
            position += label + 1;
        }
        return -1;
    }

    /// <summary>Lowers a name of up to 255 octets in whole vectors if the source is long enough.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void ToLowerPadded(ReadOnlySpan<byte> source, Span<byte> destination, int length)
    {
        int rounded = (length + 15) & ~15;
        if (source.Length < rounded || destination.Length < rounded)
        {
            ToLower(source[..length], destination);
            return;
        }
        // In range: both spans hold the rounded length, as checked.
        ref byte from = ref MemoryMarshal.GetReference(source);
        ref byte to = ref MemoryMarshal.GetReference(destination);
        nuint end = (uint)rounded;
        for (nuint i = 0; i < end; i += 16)
            ToLower(Vector128.LoadUnsafe(ref from, i)).StoreUnsafe(ref to, i);
    }

    /// <summary>Copies a name with A to Z lowered into at least as many octets, or in place.</summary>
    public static void ToLower(ReadOnlySpan<byte> name, Span<byte> destination)
    {
        if (destination.Length < name.Length) ThrowTooSmall();
        ref byte source = ref MemoryMarshal.GetReference(name);
        ref byte target = ref MemoryMarshal.GetReference(destination);
        int length = name.Length, i = 0;
        // Loads and stores stay within name.Length: the last vector overlaps the one before it.
        if (length >= Vector128<byte>.Count)
        {
            for (; i <= length - Vector128<byte>.Count; i += Vector128<byte>.Count)
                ToLower(Vector128.LoadUnsafe(ref source, (nuint)i)).StoreUnsafe(ref target, (nuint)i);
            if (i == length) return;
            i = length - Vector128<byte>.Count;
            ToLower(Vector128.LoadUnsafe(ref source, (nuint)i)).StoreUnsafe(ref target, (nuint)i);
            return;
        }
        for (; i + sizeof(ulong) <= length; i += sizeof(ulong))
        {
            ulong word = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, i));
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, i), ToLower(word));
        }
        for (; i < length; i++) Unsafe.Add(ref target, i) = ToLower(Unsafe.Add(ref source, i));
    }

    /// <summary>Sixteen octets with A to Z lowered.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector128<byte> ToLower(Vector128<byte> octets)
    {
        // One signed comparison finds A..Z: the range is moved to the bottom of the signed scale.
        Vector128<sbyte> moved = (octets + Vector128.Create((byte)(0x80 - 'A'))).AsSByte();
        Vector128<byte> upper = Vector128.LessThan(moved, Vector128.Create((sbyte)(-128 + 26))).AsByte();
        return octets | (upper & Vector128.Create((byte)0x20));
    }

    /// <summary>Eight octets with A to Z lowered, branch-free.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong ToLower(ulong octets)
    {
        const ulong high = 0x8080808080808080;
        ulong seven = octets & ~high;
        ulong aboveZ = seven + 0x2525252525252525; // sets the high bit of octets > 'Z'
        ulong fromA = seven + 0x3F3F3F3F3F3F3F3F; // sets the high bit of octets >= 'A'
        ulong upper = (fromA ^ aboveZ) & ~octets & high;
        return octets | (upper >> 2);
    }

    /// <summary>One octet, lowered if it is A to Z.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte ToLower(byte octet) => (uint)(octet - 'A') < 26 ? (byte)(octet | 0x20) : octet;

    /// <summary>Whether two names are equal, ignoring case.</summary>
    public static bool EqualsIgnoreCase(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        if (left.Length != right.Length) return false;
        ref byte a = ref MemoryMarshal.GetReference(left);
        ref byte b = ref MemoryMarshal.GetReference(right);
        int length = left.Length, i = 0;
        if (length >= Vector128<byte>.Count)
        {
            for (; i <= length - Vector128<byte>.Count; i += Vector128<byte>.Count)
                if (ToLower(Vector128.LoadUnsafe(ref a, (nuint)i)) != ToLower(Vector128.LoadUnsafe(ref b, (nuint)i)))
                    return false;
            if (i == length) return true;
            i = length - Vector128<byte>.Count;
            return ToLower(Vector128.LoadUnsafe(ref a, (nuint)i)) == ToLower(Vector128.LoadUnsafe(ref b, (nuint)i));
        }
        if (length >= sizeof(ulong))
        {
            // Two overlapping words cover 8 to 16 octets.
            int last = length - sizeof(ulong);
            return AreEqual(
                    Unsafe.ReadUnaligned<ulong>(ref a), Unsafe.ReadUnaligned<ulong>(ref b))
                && AreEqual(
                    Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref a, last)),
                    Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref b, last)));
        }
        for (; i < length; i++)
            if (ToLower(Unsafe.Add(ref a, i)) != ToLower(Unsafe.Add(ref b, i))) return false;
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool AreEqual(ulong x, ulong y) => x == y || ToLower(x) == ToLower(y);

    /// <summary>Whether a possibly compressed name equals another, letter case included. False if malformed.</summary>
    /// <param name="name">A valid uncompressed name.</param>
    public static bool EqualsAt(ReadOnlySpan<byte> name, ReadOnlySpan<byte> message, int offset)
    {
        int limit = offset;
        if ((uint)offset < (uint)message.Length && message[offset..].StartsWith(name)) return true;
        while ((uint)offset < (uint)message.Length && !name.IsEmpty)
        {
            int label = message[offset];
            if (label >= 0xC0)
            {
                if (!TryFollow(message, ref offset, ref limit)) return false;
                if (message[offset..].StartsWith(name)) return true;
                continue;
            }
            if (label != name[0]) return false;
            if (label == 0) return true;
            if (!message[offset..].StartsWith(name[..(label + 1)])) return false;
            name = name[(label + 1)..];
            offset += label + 1;
        }
        return false;
    }

    /// <summary>The number of labels of a valid name, without the root label.</summary>
    public static int CountLabels(ReadOnlySpan<byte> name)
    {
        int count = 0;
        for (int i = 0; name[i] != 0; i += name[i] + 1) count++;
        return count;
    }

    /// <summary>Whether <paramref name="name"/> is or lies below <paramref name="ancestor"/>, ignoring case.</summary>
    public static bool IsAtOrBelow(ReadOnlySpan<byte> name, ReadOnlySpan<byte> ancestor)
    {
        int skip = name.Length - ancestor.Length;
        if (skip < 0) return false;
        int position = 0;
        while (position < skip) position += name[position] + 1;
        return position == skip && EqualsIgnoreCase(name[skip..], ancestor);
    }

    private static void ThrowTooSmall() => throw new ArgumentException("The destination is shorter than the name.");
}
