namespace Dns.Answering.Parsing;

/// <summary>A parsed query; holds no reference to the message, so the reply may overwrite it.</summary>
/// <remarks>About 500 bytes, mostly the name; lives on the stack and is never cleared as a whole.</remarks>
internal struct Query
{
    /// <summary>OPT without options behind the question: root, type 41, payload, TTL, RDLENGTH 0.</summary>
    private const int BareOptOctets = 11;

    /// <summary>Counts of a query with one question and one additional record.</summary>
    private const ulong OneQuestion = 1UL << 48, OneAdditional = OneQuestion | 1;

    /// <summary>The fields that are reset for each query.</summary>
    private struct State
    {
        internal ushort Offered;
        internal ushort TsigAt;
        internal bool IsRelayed;
        internal bool IsNameError;
        internal bool IsSpecial;
        internal byte LimitSkip;
    }

    internal LookupName Name;
    internal EdnsQuery Edns;
    private State _state;
    internal RRType Type;
    internal RRClass Class;
    internal ushort Flags;

    /// <summary>The RCODE of the reply, for counters and the rate limit.</summary>
    internal Rcode Rcode;

    /// <summary>Where the question ends: 12 to 271.</summary>
    internal int QuestionEnd;

    /// <summary>RA if this client may use recursion; set once access was checked.</summary>
    internal ushort Offered { readonly get => _state.Offered; set => _state.Offered = value; }

    /// <summary>Whether the client wants recursion and may use it (RD and RA).</summary>
    internal readonly bool IsFollowed => Offered != 0 && (Flags & MessageHeader.RecursionDesired) != 0;

    /// <summary>Whether the question's own name is forwarded.</summary>
    internal bool IsRelayed { readonly get => _state.IsRelayed; set => _state.IsRelayed = value; }

    /// <summary>Whether NOERROR denies the name by NXNAME (RFC 9824 §3.1); for counters and the rate limit.</summary>
    internal bool IsNameError { readonly get => _state.IsNameError; set => _state.IsNameError = value; }

    /// <summary>
    /// The number of leading labels to skip for the rate limit's key: 0 for names with data, else those in front of the
    /// name that all such answers share.
    /// </summary>
    internal byte LimitSkip { readonly get => _state.LimitSkip; set => _state.LimitSkip = value; }

    /// <summary>Where a TSIG record starts; 0 if there is none.</summary>
    internal readonly int TsigAt => _state.TsigAt;

    /// <summary>Whether the query has more than a name and type to consider; rare.</summary>
    internal readonly bool IsSpecial => _state.IsSpecial;

    /// <summary>
    /// Reads a message of at least 12 octets whose opcode is QUERY. Octets behind the last record are ignored.
    /// </summary>
    /// <param name="buffer">Starts with the message.</param>
    /// <returns>False if the message is malformed: FORMERR.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryRead(ReadOnlySpan<byte> buffer, int octets)
    {
        Flags = MessageHeader.Flags(buffer);
        Edns = default;
        _state = default;
        // Exactly one question (RFC 9619).
        ulong counts = BinaryPrimitives.ReadUInt64BigEndian(buffer[4..]);
        if (counts >> 48 != 1 || !Name.TryRead(buffer, MessageHeader.LengthOctets, octets)) return false;
        int position = MessageHeader.LengthOctets + Name.Length;
        if (position + 4 > octets) return false;
        uint typeAndClass = BinaryPrimitives.ReadUInt32BigEndian(buffer[position..]);
        Type = (RRType)(typeAndClass >> 16);
        Class = (RRClass)(ushort)typeAndClass;
        QuestionEnd = position + 4;
        if (counts == OneQuestion)
        {
            _state.IsSpecial = Class != RRClass.IN || MetaTypes.Has(Type);
            return true;
        }
        bool isRead =
            counts == OneAdditional && position + 4 + BareOptOctets == octets &&
                TryReadBareOpt(buffer[(position + 4)..octets])
            || TryReadRecords(buffer[..octets]);
        FindSpecial();
        return isRead;
    }

    /// <summary>Parses records of a message that is no query; the reply has no question. False if malformed.</summary>
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

    /// <summary>Sets <see cref="IsSpecial"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void FindSpecial() =>
        _state.IsSpecial =
            Class != RRClass.IN || MetaTypes.Has(Type) || Edns.Requested != EdnsRequests.None || Edns.Version > 0
            || _state.TsigAt != 0;

    /// <summary>Parses an OPT record without options, the common case. False for any other record.</summary>
    private bool TryReadBareOpt(ReadOnlySpan<byte> octets)
    {
        const uint opt = (uint)RRType.OPT << 8;
        if ((BinaryPrimitives.ReadUInt32BigEndian(octets) & 0xFFFF_FF00) != opt || octets[9] != 0 || octets[10] != 0)
            return false;
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
                if (records.Section != MessageSection.Additional || Edns.IsPresent || !records.IsOwnerRoot)
                    return false;
                if (!Edns.TryRead((ushort)records.Class, records.Ttl, records.Rdata)) return false;
            }
            else if (records.Type == RRType.TSIG)
            {
                // The record must be well-formed before its key is looked up.
                if (!records.IsLastTsig || !TsigRecord.TryRead(in records, out _)) return false;
                _state.TsigAt = (ushort)records.OwnerOffset;
            }
        }
        return !records.IsMalformed;
    }
}
