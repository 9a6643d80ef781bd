namespace Dns.Forwarding.Acceptance;

/// <summary>
/// The records of a reply's answer and authority sections, parsed in one pass. Grows with the records and not with a
/// count in the header. Not thread-safe.
/// </summary>
internal sealed class ReplyRecords
{
    private const int SignatureFixedOctets = 18;

    private ReplyRecord[] _records = new ReplyRecord[32];
    private LookupName _owner;
    private int _count;

    /// <summary>The records of the question's class, in order.</summary>
    public Span<ReplyRecord> All => _records.AsSpan(0, _count);

    /// <summary>The RCODE with the upper bits of OPT.</summary>
    public Rcode Rcode { get; private set; }

    /// <summary>The upstream's extended error; null for none.</summary>
    public ExtendedErrorCode? Error { get; private set; }

    /// <summary>Parses the sections behind the question.</summary>
    /// <param name="position">The offset of the first record.</param>
    /// <returns>False if it is malformed: a truncated record, a bad name, two OPT.</returns>
    public bool TryRead(ReadOnlySpan<byte> message, int position, scoped in Question question)
    {
        _count = 0;
        Rcode = (Rcode)(MessageHeader.Flags(message) & MessageHeader.RcodeMask);
        Error = null;
        bool hasOpt = false;
        RecordReader records = RecordReader.OfMessage(message, position);
        while (records.TryRead())
        {
            if (records.Type == RRType.OPT)
            {
                if (hasOpt || !OptReader.TryRead(in records, out OptReader opt)) return false;
                hasOpt = true;
                Rcode = opt.FullRcode(Rcode);
                Error = opt.ExtendedError;
                continue;
            }
            bool isOwnedByQuestion = records.IsOwnerPointerToQuestion;
            if (!isOwnedByQuestion && !records.TryReadOwner(ref _owner)) return false;
            if (records.Section != MessageSection.Additional && records.Class == question.Class)
                Add(in records, in isOwnedByQuestion ? ref question.Name : ref _owner);
        }
        return !records.IsMalformed;
    }

    private void Add(scoped in RecordReader reader, scoped in LookupName owner)
    {
        if (_count == _records.Length) Array.Resize(ref _records, _count * 2);
        ref ReplyRecord record = ref _records[_count++];
        record = new ReplyRecord
        {
            OwnerHash = owner.Hash,
            OwnerLabels = (byte)owner.LabelCount,
            OwnerOffset = (ushort)reader.OwnerOffset,
            IsAuthority = reader.Section == MessageSection.Authority,
            Type = reader.Type,
            Ttl = reader.Ttl,
            RdataOffset = (ushort)reader.RdataOffset,
            RdataOctets = (ushort)reader.RdataOctets,
        };
        if (record.Type == RRType.RRSIG && record.RdataOctets > SignatureFixedOctets)
            record.Covered = (RRType)BinaryPrimitives.ReadUInt16BigEndian(reader.Rdata);
    }
}
