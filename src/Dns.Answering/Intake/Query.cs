using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Answering;

/// <summary>A query as read from its octets; nothing of it refers to the message any more, so the answer may overwrite it.</summary>
/// <remarks>About 1.5 KB, mostly its name; lives on the stack and is never cleared.</remarks>
internal struct Query
{
    private const int RecordFixedOctets = 10;

    internal LookupName Name;
    internal EdnsQuery Edns;
    internal RRType Type;
    internal RRClass Class;
    internal ushort Flags;

    /// <summary>RA if this client may ask for what others serve; set once the client is judged.</summary>
    internal ushort Offered;

    /// <summary>Whether others are asked for the question's own name.</summary>
    internal bool IsRelayed;

    /// <summary>
    /// How many labels the name leaves out by which the rate of answers like this one is limited: 0 where it has data, else
    /// those in front of the name that all such answers share.
    /// </summary>
    internal byte LimitSkip;

    /// <summary>Where the question ends: 12 to 271.</summary>
    internal int QuestionEnd;

    /// <summary>Where a TSIG record starts; 0 if there is none.</summary>
    internal int TsigAt;

    /// <summary>Reads a message of at least 12 octets whose opcode is QUERY.</summary>
    /// <returns>False if the message is malformed: FORMERR.</returns>
    internal bool TryRead(ReadOnlySpan<byte> buffer, int octets)
    {
        Flags = MessageHeader.Flags(buffer);
        Edns = default;
        Offered = 0;
        IsRelayed = false;
        LimitSkip = 0;
        TsigAt = 0;
        // One question, no more and no fewer (RFC 9619).
        ulong counts = BinaryPrimitives.ReadUInt64BigEndian(buffer[4..]);
        if (counts >> 48 != 1 || !Name.TryRead(buffer, MessageHeader.LengthOctets, octets)) return false;
        int position = MessageHeader.LengthOctets + Name.Length;
        if (position + 4 > octets) return false;
        Type = (RRType)BinaryPrimitives.ReadUInt16BigEndian(buffer[position..]);
        Class = (RRClass)BinaryPrimitives.ReadUInt16BigEndian(buffer[(position + 2)..]);
        QuestionEnd = position + 4;
        if ((counts & 0xFFFF_FFFF_FFFF) == 0) return QuestionEnd == octets;
        return TryReadRecords(buffer[..octets], counts);
    }

    /// <summary>
    /// Reads the records of a message that is not answered as a query: it has no question, or one that means something else.
    /// No question goes back.
    /// </summary>
    /// <returns>False if they cannot be read.</returns>
    internal bool TryReadRecordsOnly(ReadOnlySpan<byte> buffer, int octets)
    {
        ReadOnlySpan<byte> message = buffer[..octets];
        ulong counts = BinaryPrimitives.ReadUInt64BigEndian(message[4..]);
        int position = MessageHeader.LengthOctets;
        if (counts >> 48 > 1) return false;
        if (counts >> 48 == 1)
        {
            if (!WireName.TrySkip(message, ref position) || position + 4 > octets) return false;
            position += 4;
        }
        (Edns, TsigAt, Offered, QuestionEnd) = (default, 0, 0, position);
        Name.Set([0]);
        if (!TryReadRecords(message, counts)) return false;
        QuestionEnd = MessageHeader.LengthOctets;
        return true;
    }

    private bool TryReadRecords(ReadOnlySpan<byte> message, ulong counts)
    {
        int position = QuestionEnd;
        int before = (int)(counts >> 32 & 0xFFFF) + (int)(counts >> 16 & 0xFFFF);
        int total = before + (int)(counts & 0xFFFF);
        // Each turn takes at least 11 octets of the message or ends the walk: the counts alone bound nothing.
        for (int i = 0; i < total; i++)
        {
            int start = position;
            if (!WireName.TrySkip(message, ref position)) return false;
            if (position + RecordFixedOctets > message.Length) return false;
            ReadOnlySpan<byte> fixedPart = message.Slice(position, RecordFixedOctets);
            int length = BinaryPrimitives.ReadUInt16BigEndian(fixedPart[8..]);
            position += RecordFixedOctets;
            if (length > message.Length - position) return false;
            RRType type = (RRType)BinaryPrimitives.ReadUInt16BigEndian(fixedPart);
            if (type == RRType.OPT)
            {
                if (i < before || Edns.IsPresent || message[start] != 0) return false;
                if (!Edns.TryRead(fixedPart[2..8], message.Slice(position, length))) return false;
            }
            else if (type == RRType.TSIG)
            {
                // The last record of all (RFC 8945 §5.1), well-formed before anyone looks at its key.
                if (i < before || i != total - 1) return false;
                if (!TsigRecord.IsWellFormed(message, start, fixedPart, position, length)) return false;
                TsigAt = start;
            }
            position += length;
        }
        return position == message.Length;
    }
}
