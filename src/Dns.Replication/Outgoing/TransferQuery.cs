namespace Dns.Replication.Outgoing;

/// <summary>A query for a transfer, copied out of its message, with the state to write and sign its replies.</summary>
public sealed class TransferQuery : IDisposable
{
    private const int MaxNames = 2048;
    private const int SerialFromEnd = 20;
    private const int OptOctets = 11;
    private const ushort Payload = 1232;
    private const ushort MinPayload = 512;

    private readonly ushort _id;
    private readonly ushort _flags;
    private readonly TimeProvider _time;

    private TransferQuery(ushort id, ushort flags, DomainName name, TimeProvider time)
    {
        (_id, Name, _time) = (id, name, time);
        _flags = (ushort)(flags & (MessageHeader.RecursionDesired | MessageHeader.CheckingDisabled));
    }

    /// <summary>The zone's name in the letter case of the question.</summary>
    public DomainName Name { get; }

    /// <summary>AXFR or IXFR.</summary>
    public RRType Type { get; private init; }

    /// <summary>The class.</summary>
    public RRClass Class { get; private init; }

    /// <summary>The client's serial, from the SOA of an IXFR query (RFC 1995 §3).</summary>
    public uint Serial { get; private init; }

    /// <summary>Whether it is an IXFR query without SOA: FORMERR.</summary>
    public bool LacksSerial { get; private init; }

    /// <summary>The maximum length of a reply over datagrams in octets, 512 to 1232 (RFC 6891 §6.2.3).</summary>
    public int DatagramOctets { get; private init; }

    /// <summary>The EDNS version; -1 without OPT.</summary>
    public int EdnsVersion { get; private init; } = -1;

    /// <summary>Whether its transport is reliable.</summary>
    public bool IsReliable { get; set; } = true;

    /// <summary>Signs the replies; disposed with the query; null for an unsigned query.</summary>
    public TsigChain? Chain { get; set; }

    /// <summary>The name table of a sequence, reused for each message.</summary>
    internal MessageNames Names => field ??= IsReliable ? new MessageNames(MaxNames) : new MessageNames();

    /// <summary>Parses a query; false unless it has exactly one question.</summary>
    public static bool TryRead(ReadOnlySpan<byte> octets, TimeProvider time,
        [NotNullWhen(true)] out TransferQuery? query)
    {
        query = null;
        if (!MessageReader.TryOpen(octets, out MessageReader message)) return false;
        if (message.Count(MessageSection.Question) != 1 || !message.TryReadQuestion(out QuestionReader question))
            return false;
        if (!question.TryGetName(out ReadOnlySpan<byte> name)) return false;
        bool hasSerial = TryReadSerial(message.ReadRecords(), out uint serial);
        int version = message.TryFindOpt(out OptReader opt) ? opt.Version : -1;
        query = new TransferQuery(message.Id, message.Flags, DomainName.FromOctets(name), time)
        {
            Type = question.Type, Class = question.Class, Serial = serial, EdnsVersion = version,
            DatagramOctets = Math.Clamp(version < 0 ? MinPayload : opt.PayloadOctets, MinPayload, Payload),
            LacksSerial = question.Type == RRType.IXFR && !hasSerial,
        };
        return true;
    }

    /// <summary>Writes a reply of one message, with the SOA if there is a zone; TC if it does not fit.</summary>
    /// <param name="room">Receives it; the maximum length of the reply.</param>
    public int Write(Span<byte> room, Rcode rcode, Zone? zone = null)
    {
        MessageWriter writer = new(room, new MessageNames());
        if (!TryBegin(ref writer, withQuestion: true, rcode, isAuthoritative: zone is not null))
            return WriteTruncated(room, rcode);
        if (zone is not null && !TryWriteSoa(ref writer, zone))
            MessageHeader.SetFlags(room, (ushort)(MessageHeader.Flags(room) | MessageHeader.Truncated));
        return Finish(ref writer, room, isFirst: true);
    }

    // TC alone, unsigned, if not even question and signature fit: the client retries over a reliable transport.
    private int WriteTruncated(Span<byte> room, Rcode rcode)
    {
        MessageWriter writer = new(room, new MessageNames());
        writer.WriteHeader(_id, (ushort)(MessageHeader.QueryResponse | MessageHeader.Truncated | _flags | (int)rcode));
        return writer.Finish();
    }

    /// <inheritdoc/>
    public void Dispose() => Chain?.Dispose();

    /// <summary>Starts a message: header, and the question in the first (RFC 5936 §2.2.2).</summary>
    /// <param name="writer">A writer of an empty message; room for OPT and signature is reserved.</param>
    /// <returns>False if it does not fit.</returns>
    internal bool TryBegin(ref MessageWriter writer, bool withQuestion, Rcode rcode = Rcode.NoError,
        bool isAuthoritative = true)
    {
        int kept = (Chain?.Key.MaxRecordOctets ?? 0) + (HasOpt(withQuestion) ? OptOctets : 0);
        if (writer.Limit <= MessageHeader.LengthOctets + kept) return false;
        writer.Limit -= kept;
        int flags = MessageHeader.QueryResponse | _flags | (int)rcode
            | (isAuthoritative ? MessageHeader.AuthoritativeAnswer : 0);
        writer.WriteHeader(_id, (ushort)flags);
        return !withQuestion || writer.TryWriteQuestion(Name.Octets, Type, Class);
    }

    /// <summary>Ends a message: OPT in the first if the query has it (RFC 6891 §6.1.1), and the signature.</summary>
    internal int Finish(ref MessageWriter writer, Span<byte> room, bool isFirst)
    {
        if (HasOpt(isFirst))
        {
            writer.Limit += OptOctets;
            writer.BeginOpt(Payload);
            writer.TryEnd();
        }
        int octets = writer.Finish();
        return Chain?.Sign(room, octets, _time.GetUtcNow().ToUnixTimeSeconds()) ?? octets;
    }

    /// <summary>Writes the SOA of a zone into the answer section.</summary>
    internal static bool TryWriteSoa(ref MessageWriter writer, Zone zone)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        ZoneNode apex = zone.ApexNode;
        owner = owner[..apex.CopyOwner(owner)];
        // A zone without SOA is not served.
        return apex.TryFind(RRType.SOA, out RRset soa)
            && writer.TryWrite(MessageSection.Answer, owner, RRType.SOA, RRClass.IN, soa.Ttl, soa.First);
    }

    private bool HasOpt(bool isFirst) => isFirst && EdnsVersion >= 0;

    private static bool TryReadSerial(RecordReader records, out uint serial)
    {
        serial = 0;
        while (records.TryRead())
        {
            if (records.Section != MessageSection.Authority || records.Type != RRType.SOA ||
                records.RdataOctets <= SerialFromEnd) continue;
            serial = BinaryPrimitives.ReadUInt32BigEndian(records.Rdata[^SerialFromEnd..]);
            return true;
        }
        return false;
    }
}
