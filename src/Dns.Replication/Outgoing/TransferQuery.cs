using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>A query for a transfer, copied out of its message: what its replies depend on, repeat and are signed with.</summary>
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

    /// <summary>The name of the zone, in the spelling of the question.</summary>
    public DomainName Name { get; }

    /// <summary>AXFR or IXFR.</summary>
    public RRType Type { get; private init; }

    /// <summary>The class.</summary>
    public RRClass Class { get; private init; }

    /// <summary>The serial of the version that the client has, in the SOA of an IXFR query (RFC 1995 §3).</summary>
    public uint Serial { get; private init; }

    /// <summary>Whether it is an IXFR query without the SOA of the client: FORMERR.</summary>
    public bool LacksSerial { get; private init; }

    /// <summary>The longest reply over datagrams in octets, 512 to 1232 (RFC 6891 §6.2.3).</summary>
    public int DatagramOctets { get; private init; }

    /// <summary>The version of EDNS; -1 without OPT.</summary>
    public int EdnsVersion { get; private init; } = -1;

    /// <summary>Whether it came over a reliable transport.</summary>
    public bool IsReliable { get; set; } = true;

    /// <summary>Signs the replies, and is disposed with the query; null if the query was not signed.</summary>
    public TsigChain? Chain { get; set; }

    /// <summary>The names of a message, from one message of the reply to the next.</summary>
    internal MessageNames Names => field ??= IsReliable ? new MessageNames(MaxNames) : new MessageNames();

    /// <summary>Reads a query.</summary>
    /// <param name="octets">The message.</param>
    /// <param name="time">Says when replies are signed.</param>
    /// <param name="query">The query.</param>
    /// <returns>False if it has not one question.</returns>
    public static bool TryRead(ReadOnlySpan<byte> octets, TimeProvider time, [NotNullWhen(true)] out TransferQuery? query)
    {
        query = null;
        if (!MessageReader.TryOpen(octets, out MessageReader message)) return false;
        if (message.Count(MessageSection.Question) != 1 || !message.TryReadQuestion(out QuestionReader question)) return false;
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

    /// <summary>Writes a reply of one message: a code, and the SOA where there is a zone; TC if that does not fit.</summary>
    /// <param name="room">Receives it; as long as the reply may be.</param>
    /// <param name="rcode">The code.</param>
    /// <param name="zone">The zone whose SOA is the answer; null = none.</param>
    /// <returns>Its length.</returns>
    public int Write(Span<byte> room, Rcode rcode, Zone? zone = null)
    {
        MessageWriter writer = new(room, Names);
        if (!TryBegin(ref writer, withQuestion: true, rcode, isAuthoritative: zone is not null)) return WriteTruncated(room, rcode);
        if (zone is not null && !TryWriteSoa(ref writer, zone))
            MessageHeader.SetFlags(room, (ushort)(MessageHeader.Flags(room) | MessageHeader.Truncated));
        return Finish(ref writer, room, isFirst: true);
    }

    /// <summary>Not even question and signature fit: TC alone, unsigned, sends the client to a reliable transport.</summary>
    private int WriteTruncated(Span<byte> room, Rcode rcode)
    {
        MessageWriter writer = new(room, Names);
        writer.WriteHeader(_id, (ushort)(MessageHeader.QueryResponse | MessageHeader.Truncated | _flags | (int)rcode));
        return writer.Finish();
    }

    /// <inheritdoc/>
    public void Dispose() => Chain?.Dispose();

    /// <summary>Starts a message: header, and question where it is the first (RFC 5936 §2.2.2).</summary>
    /// <param name="writer">A writer of an empty message; what OPT and the signature take is kept free.</param>
    /// <param name="withQuestion">Whether it is the first message.</param>
    /// <param name="rcode">The code.</param>
    /// <param name="isAuthoritative">AA.</param>
    /// <returns>False if there is no room even for that.</returns>
    internal bool TryBegin(ref MessageWriter writer, bool withQuestion, Rcode rcode = Rcode.NoError, bool isAuthoritative = true)
    {
        int kept = (Chain?.Key.MaxRecordOctets ?? 0) + (HasOpt(withQuestion) ? OptOctets : 0);
        if (writer.Limit <= MessageHeader.LengthOctets + kept) return false;
        writer.Limit -= kept;
        int flags = MessageHeader.QueryResponse | _flags | (int)rcode | (isAuthoritative ? MessageHeader.AuthoritativeAnswer : 0);
        writer.WriteHeader(_id, (ushort)flags);
        return !withQuestion || writer.TryWriteQuestion(Name.Octets, Type, Class);
    }

    /// <summary>Ends a message, with OPT in the first where the query had it (RFC 6891 §6.1.1), and signs it.</summary>
    /// <returns>Its length.</returns>
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
            if (records.Section != MessageSection.Authority || records.Type != RRType.SOA || records.RdataOctets <= SerialFromEnd) continue;
            serial = BinaryPrimitives.ReadUInt32BigEndian(records.Rdata[^SerialFromEnd..]);
            return true;
        }
        return false;
    }
}
