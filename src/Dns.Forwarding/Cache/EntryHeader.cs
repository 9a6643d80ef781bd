namespace Dns.Forwarding.Cache;

/// <summary>The kind and flags of an entry.</summary>
[Flags]
internal enum EntryTraits : byte
{
    /// <summary>An answer.</summary>
    None = 0,

    AuthenticData = 1,

    /// <summary>NXDOMAIN: covers every type, stored under type 0.</summary>
    NameError = 2,

    /// <summary>A cached failure (RFC 9520): no records.</summary>
    Failure = 4,

    /// <summary>Aliases only; the last target is looked up separately.</summary>
    EndsInAlias = 8,

    /// <summary>Contains records of alias targets, which may belong to another zone by now.</summary>
    Targets = 16,

    /// <summary>The bits that are part of the key.</summary>
    Kind = NameError | Failure,
}

/// <summary>
/// The start of an entry, followed by the lower-case name, the offsets of the TTLs (16 bits each), the records, and
/// padding to eight bytes. Immutable once it is in the index, except <see cref="Generation"/>.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct EntryHeader
{
    public const int Bytes = 36;

    /// <summary>The hash of the key.</summary>
    public ulong Hash;

    /// <summary>The time of storing, in units of <see cref="CacheClock"/>.</summary>
    public uint StoredAt;

    public uint LifetimeSeconds;

    /// <summary>
    /// For records of alias targets: the <see cref="ZoneRouting.Generation"/> at which they were last found to belong
    /// to the zone of the answering upstream. Aligned to four bytes: the only part that changes while the entry is in
    /// the index.
    /// </summary>
    public uint Generation;

    public ushort RecordOctets;
    public ushort AnswerCount;
    public ushort AuthorityCount;

    /// <summary>QTYPE; 0 for NXDOMAIN.</summary>
    public RRType Type;

    /// <summary>The number of the view. The class is always IN.</summary>
    public ushort View;

    /// <summary>DO and CD.</summary>
    public QuestionFlags Flags;

    public byte NameOctets;
    public byte Rcode;
    public EntryTraits Traits;

    /// <summary>The extended error plus one; 0 for none.</summary>
    public byte Error;

    /// <summary>The number of consecutive failures.</summary>
    public byte FailureCount;

    /// <summary>The number of TTLs: one for each record.</summary>
    public readonly int TtlCount => AnswerCount + AuthorityCount;

    /// <summary>Length of the whole entry, a multiple of eight.</summary>
    public readonly int PaddedLength => (Length + 7) & ~7;

    public readonly int TtlOffset => Bytes + NameOctets;
    public readonly int RecordOffset => TtlOffset + TtlCount * sizeof(ushort);

    /// <summary>Length of the entry without padding.</summary>
    public readonly int Length => RecordOffset + RecordOctets;

    /// <summary>QTYPE for display and parsing: ANY for NXDOMAIN.</summary>
    public readonly RRType QuestionType => Type == 0 ? RRType.ANY : Type;

    public readonly bool EndsInAlias => (Traits & EntryTraits.EndsInAlias) != 0;

    /// <summary>Length of a message with the question and the records.</summary>
    public readonly int MessageOctets => MessageHeader.LengthOctets + NameOctets + 4 + RecordOctets;

    public readonly RelayedAnswer ToAnswer() => new()
    {
        Octets = RecordOctets,
        Rcode = (Rcode)Rcode,
        AnswerCount = AnswerCount,
        AuthorityCount = AuthorityCount,
        AuthenticData = (Traits & EntryTraits.AuthenticData) != 0,
        EndsInAlias = EndsInAlias,
        Error = Error == 0 ? null : (ExtendedErrorCode)(Error - 1),
    };

    /// <summary>Writes a message with the question and the records of its entry.</summary>
    public readonly void WriteMessage(ReadOnlySpan<byte> entry, Span<byte> message)
    {
        RelayedAnswer answer = ToAnswer();
        MessageWriter writer = new(message, names: null);
        writer.WriteHeader(0, (ushort)(MessageHeader.QueryResponse | MessageHeader.RecursionAvailable
            | (answer.AuthenticData ? MessageHeader.AuthenticData : 0) | (ushort)answer.Rcode));
        writer.TryWriteQuestion(entry.Slice(Bytes, NameOctets), QuestionType, RRClass.IN);
        writer.TryCopyRecords(in answer, entry.Slice(RecordOffset, RecordOctets));
        writer.Finish();
    }

    /// <summary>The header of an answer, without its key.</summary>
    public static EntryHeader Of(AcceptedAnswer answer, uint storedAt)
    {
        RelayedAnswer header = answer.Header;
        return new()
        {
            StoredAt = storedAt,
            LifetimeSeconds = Math.Min(answer.LifetimeSeconds, CacheClock.MaxSeconds),
            Generation = answer.IsAboutTargets ? answer.Generation : 0,
            AnswerCount = header.AnswerCount,
            AuthorityCount = header.AuthorityCount,
            Rcode = (byte)header.Rcode,
            Traits = (header.AuthenticData ? EntryTraits.AuthenticData : 0)
                | (header.EndsInAlias ? EntryTraits.EndsInAlias : 0)
                | (answer.IsAboutTargets ? EntryTraits.Targets : 0),
            Error = header.Error is { } error && (ushort)error < byte.MaxValue ? (byte)(error + 1) : (byte)0,
        };
    }
}
