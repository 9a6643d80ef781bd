using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Answering;

/// <summary>
/// A query as read from its octets; nothing of it refers to the message any more, so the answer may overwrite it.
/// </summary>
/// <remarks>About 500 bytes, mostly its name; lives on the stack and is never cleared.</remarks>
internal struct Query
{
    /// <summary>OPT without options behind the question: root, type 41, payload, TTL, RDLENGTH 0.</summary>
    private const int BareOptOctets = 11;

    /// <summary>Counts of a query with one question and one additional record.</summary>
    private const ulong OneQuestion = 1UL << 48, OneAdditional = OneQuestion | 1;

    /// <summary>What is set anew for each query, so that it is cleared at once.</summary>
    private struct State
    {
        internal ushort Offered;
        internal ushort TsigAt;
        internal bool IsRelayed;
        internal bool IsSpecial;
        internal byte LimitSkip;
    }

    internal LookupName Name;
    internal EdnsQuery Edns;
    private State _state;
    internal RRType Type;
    internal RRClass Class;
    internal ushort Flags;

    /// <summary>The code of the reply, once there is one; counted and limited by.</summary>
    internal Rcode Rcode;

    /// <summary>Where the question ends: 12 to 271.</summary>
    internal int QuestionEnd;

    /// <summary>RA if this client may ask for what others serve; set once the client is judged.</summary>
    internal ushort Offered { readonly get => _state.Offered; set => _state.Offered = value; }

    /// <summary>Whether others are asked for the question's own name.</summary>
    internal bool IsRelayed { readonly get => _state.IsRelayed; set => _state.IsRelayed = value; }

    /// <summary>
    /// How many labels the name leaves out by which the rate of answers like this one is limited: 0 where it has data, else
    /// those in front of the name that all such answers share.
    /// </summary>
    internal byte LimitSkip { readonly get => _state.LimitSkip; set => _state.LimitSkip = value; }

    /// <summary>Where a TSIG record starts; 0 if there is none.</summary>
    internal readonly int TsigAt => _state.TsigAt;

    /// <summary>Whether anything about it but its name and type needs a look: nearly never.</summary>
    internal readonly bool IsSpecial => _state.IsSpecial;

    /// <summary>Reads a message of at least 12 octets whose opcode is QUERY.</summary>
    /// <param name="buffer">Starts with the message.</param>
    /// <param name="octets">Length of the message.</param>
    /// <returns>False if the message is malformed: FORMERR.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryRead(ReadOnlySpan<byte> buffer, int octets)
    {
        Flags = MessageHeader.Flags(buffer);
        Edns = default;
        _state = default;
        // One question, no more and no fewer (RFC 9619).
        ulong counts = BinaryPrimitives.ReadUInt64BigEndian(buffer[4..]);
        if (counts >> 48 != 1 || !Name.TryRead(buffer, MessageHeader.LengthOctets, octets)) return false;
        int position = MessageHeader.LengthOctets + Name.Length;
        if (position + 4 > octets) return false;
        uint asked = BinaryPrimitives.ReadUInt32BigEndian(buffer[position..]);
        Type = (RRType)(asked >> 16);
        Class = (RRClass)(ushort)asked;
        QuestionEnd = position + 4;
        if (counts == OneQuestion)
        {
            _state.IsSpecial = Class != RRClass.IN || MetaTypes.Has(Type);
            return position + 4 == octets;
        }
        bool isRead = counts == OneAdditional && position + 4 + BareOptOctets == octets && TryReadBareOpt(buffer[(position + 4)..octets])
            || TryReadRecords(buffer[..octets]);
        FindSpecial();
        return isRead;
    }

    /// <summary>
    /// Reads the records of a message that is not answered as a query: it has no question, or one that means something else.
    /// No question goes back.
    /// </summary>
    /// <returns>False if they cannot be read.</returns>
    internal bool TryReadRecordsOnly(ReadOnlySpan<byte> buffer, int octets)
    {
        ReadOnlySpan<byte> message = buffer[..octets];
        int position = MessageHeader.LengthOctets, questions = MessageHeader.Count(message, 0);
        if (questions > 1) return false;
        if (questions == 1)
        {
            if (!WireName.TrySkip(message, ref position) || position + 4 > octets) return false;
            position += 4;
        }
        (Edns, _state, QuestionEnd) = (default, default, position);
        Name.Set([0]);
        if (!TryReadRecords(message)) return false;
        QuestionEnd = MessageHeader.LengthOctets;
        return true;
    }

    /// <summary>Finds out whether it is special.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void FindSpecial() =>
        _state.IsSpecial = Class != RRClass.IN || MetaTypes.Has(Type) || Edns.Asked != EdnsAsked.None || Edns.Version > 0
            || _state.TsigAt != 0;

    /// <summary>Reads what most queries have behind the question. False for any other record.</summary>
    private bool TryReadBareOpt(ReadOnlySpan<byte> octets)
    {
        const uint opt = (uint)RRType.OPT << 8;
        if ((BinaryPrimitives.ReadUInt32BigEndian(octets) & 0xFFFF_FF00) != opt || octets[9] != 0 || octets[10] != 0) return false;
        Edns.Set(BinaryPrimitives.ReadUInt16BigEndian(octets[3..]), BinaryPrimitives.ReadUInt32BigEndian(octets[5..]));
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryReadRecords(ReadOnlySpan<byte> message)
    {
        RecordReader records = RecordReader.OfMessage(message, QuestionEnd);
        while (records.TryRead())
        {
            if (records.Type == RRType.OPT)
            {
                if (records.Section != MessageSection.Additional || Edns.IsPresent || !records.IsOwnerRoot) return false;
                if (!Edns.TryRead((ushort)records.Class, records.Ttl, records.Rdata)) return false;
            }
            else if (records.Type == RRType.TSIG)
            {
                // Well-formed before anyone looks at its key.
                if (!records.IsTsigInPlace || !TsigRecord.TryRead(in records, out _)) return false;
                _state.TsigAt = (ushort)records.OwnerOffset;
            }
        }
        return records.IsAtEnd;
    }
}
