namespace Dns.Protocol.Presentation;

/// <summary>IPv6 addresses in text (RFC 4291 §2.2), written in the canonical form of RFC 5952.</summary>
internal static class Ipv6Text
{
    /// <summary>The longest text, in octets.</summary>
    public const int MaxChars = 45;

    private const int GroupCount = 8;

    /// <summary>Reads any form that RFC 4291 allows, a dotted IPv4 tail included, into 16 octets.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, Span<byte> destination)
    {
        Span<ushort> groups = stackalloc ushort[GroupCount];
        int count = 0, gapAt = -1, i = 0;
        if (text.StartsWith("::"u8))
        {
            gapAt = 0;
            i = 2;
        }
        while (i < text.Length)
        {
            if (count == GroupCount) return false;
            int start = i;
            uint group = 0;
            for (int digit; i < text.Length && (digit = HexText.Digit(text[i])) >= 0; i++)
                group = group << 4 | (uint)digit;
            if (i < text.Length && text[i] == (byte)'.')
            {
                if (count > GroupCount - 2 || !Ipv4Text.TryParse(text[start..], out uint tail)) return false;
                groups[count++] = (ushort)(tail >> 16);
                groups[count++] = (ushort)tail;
                break;
            }
            if (i == start || i - start > 4) return false;
            groups[count++] = (ushort)group;
            if (i == text.Length) break;
            if (text[i++] != (byte)':' || i == text.Length) return false;
            if (text[i] != (byte)':') continue;
            if (gapAt >= 0) return false;
            gapAt = count;
            i++;
        }
        // "::" stands for at least one group (RFC 5952 §4.2.2).
        if (gapAt < 0 ? count != GroupCount : count >= GroupCount) return false;
        Spread(groups[..count], gapAt, destination);
        return true;
    }

    private static void Spread(ReadOnlySpan<ushort> groups, int gapAt, Span<byte> destination)
    {
        destination[..16].Clear();
        int missing = GroupCount - groups.Length;
        for (int i = 0; i < groups.Length; i++)
        {
            int at = gapAt >= 0 && i >= gapAt ? i + missing : i;
            BinaryPrimitives.WriteUInt16BigEndian(destination[(at * 2)..], groups[i]);
        }
    }

    /// <summary>Writes the text into at least <see cref="MaxChars"/> octets and returns its length.</summary>
    /// <remarks>::/96 and ::ffff:0:0/96 get a dotted tail, as of inet_ntop and other servers (RFC 5952 §5).</remarks>
    public static int Format(ReadOnlySpan<byte> address, Span<byte> destination)
    {
        (int gapAt, int gapLength) = LongestZeroRun(address);
        bool hasDottedTail = gapAt == 0
            && (gapLength == 6 || (gapLength == 5 && address[10] == 0xFF && address[11] == 0xFF));
        int written = 0;
        for (int i = 0; i < GroupCount; i++)
        {
            if (i == gapAt)
            {
                destination[written++] = (byte)':';
                if (i == 0) destination[written++] = (byte)':';
                i += gapLength - 1;
                continue;
            }
            if (i == 6 && hasDottedTail) return written + Ipv4Text.Format(address[12..], destination[written..]);
            int group = BinaryPrimitives.ReadUInt16BigEndian(address[(i * 2)..]);
            group.TryFormat(destination[written..], out int digits, "x");
            written += digits;
            if (i < GroupCount - 1) destination[written++] = (byte)':';
        }
        return written;
    }

    // The first of the longest runs of two or more zero groups (RFC 5952 §4.2.3).
    private static (int At, int Length) LongestZeroRun(ReadOnlySpan<byte> address)
    {
        int bestAt = -1, bestLength = 1;
        for (int i = 0; i < GroupCount; i++)
        {
            int start = i;
            while (i < GroupCount && address[i * 2] == 0 && address[i * 2 + 1] == 0) i++;
            if (i - start <= bestLength) continue;
            bestAt = start;
            bestLength = i - start;
        }
        return (bestAt, bestLength);
    }
}
