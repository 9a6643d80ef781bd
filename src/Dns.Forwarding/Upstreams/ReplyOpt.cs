using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>What a reply says in its OPT record (RFC 6891 §6.1, RFC 7873 §4).</summary>
internal readonly ref struct ReplyOpt
{
    private ReplyOpt(Rcode rcode, bool isPresent, ReadOnlySpan<byte> cookie)
    {
        Rcode = rcode;
        IsPresent = isPresent;
        Cookie = cookie;
    }

    /// <summary>The response code with its upper bits.</summary>
    internal Rcode Rcode { get; }

    /// <summary>Whether there is one.</summary>
    internal bool IsPresent { get; }

    /// <summary>The first COOKIE option; empty if there is none.</summary>
    internal ReadOnlySpan<byte> Cookie { get; }

    /// <summary>
    /// Finds the record with one walk over the message. What is cut off or malformed has none, as has a reply whose OPT is not
    /// in the additional section.
    /// </summary>
    /// <param name="reply">A message, a header at least.</param>
    internal static ReplyOpt Read(ReadOnlySpan<byte> reply)
    {
        Rcode rcode = (Rcode)(MessageHeader.Flags(reply) & MessageHeader.RcodeMask);
        int position = MessageHeader.LengthOctets;
        for (int i = MessageHeader.Count(reply, 0); i > 0; i--)
        {
            if (!WireName.TrySkip(reply, ref position) || position + 4 > reply.Length) return new(rcode, false, default);
            position += 4;
        }
        int additional = MessageHeader.Count(reply, 3);
        for (int i = MessageHeader.Count(reply, 1) + MessageHeader.Count(reply, 2) + additional; i > 0; i--)
        {
            int owner = position;
            if (!WireName.TrySkip(reply, ref position) || position + 10 > reply.Length) break;
            ReadOnlySpan<byte> fixedPart = reply.Slice(position, 10);
            int length = BinaryPrimitives.ReadUInt16BigEndian(fixedPart[8..]);
            position += 10;
            if (position + length > reply.Length) break;
            if (i <= additional && (RRType)BinaryPrimitives.ReadUInt16BigEndian(fixedPart) == RRType.OPT && reply[owner] == 0)
                return new((Rcode)((int)rcode | fixedPart[4] << 4), true, CookieIn(reply.Slice(position, length)));
            position += length;
        }
        return new(rcode, false, default);
    }

    private static ReadOnlySpan<byte> CookieIn(ReadOnlySpan<byte> options)
    {
        while (options.Length >= 4)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(options[2..]);
            if (length > options.Length - 4) break;
            if ((EdnsOptionCode)BinaryPrimitives.ReadUInt16BigEndian(options) == EdnsOptionCode.Cookie) return options.Slice(4, length);
            options = options[(4 + length)..];
        }
        return default;
    }
}
