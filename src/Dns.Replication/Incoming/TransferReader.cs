namespace Dns.Replication.Incoming;

/// <summary>
/// Processes the messages of a transfer one by one (RFC 5936 §2.2, §3; RFC 1995 §4): builds a new zone, or applies each
/// delta to the current version once it is complete. Publishes nothing.
/// </summary>
/// <remarks>
/// <code>
/// AXFR   SOA, records, SOA
/// IXFR   SOA                                        nothing newer
///        SOA, records, SOA                          as AXFR
///        SOA, (SOA old, removed, SOA new, added)..., SOA
///        SOA of a newer version                     no differences: the whole zone is needed
/// </code>
/// Not thread-safe. Never throws for what a primary sends. Memory: the new zone, or the deltas with their versions,
/// each within a bound; and 64 KiB.
/// </remarks>
public sealed partial class TransferReader
{
    private const int SerialFromEnd = 20;

    // The maximum number of versions in an incremental transfer: each takes few octets on the wire but is held until
    // the end, so a primary could exhaust memory.
    internal const int MaxVersions = 32_768;

    // Larger deltas, and deltas of more than twice the zone, cost more than a transfer of the zone.
    private static readonly long LeastDeltaOctets = Math.Min(64 << 20, TransferOptions.ProcessBytes / 16);

    // All versions are held until they are published, and one added record copies the node of its name, which may have
    // megabytes.
    private static readonly long LeastVersionBytes = Math.Min(128 << 20, TransferOptions.ProcessBytes / 8);
    private const int EmptyNameOctets = 128;

    private readonly PrimaryQuery _query;
    private readonly Zone? _have;
    private readonly TransferOptions _limits;
    private readonly ZoneLimits _zoneLimits;
    private readonly bool _acceptsAnySerial;
    private readonly byte[] _rdata = GC.AllocateUninitializedArray<byte>(Rdata.MaxOctets);
    private readonly byte[] _owner = new byte[WireName.MaxOctets];
    private int _ownerOctets;
    private bool _isOwnerInZone;
    private byte[] _firstSoa = [];
    private uint _firstTtl;
    private Phase _phase;
    private ZoneBuilder? _builder;
    private ZoneDeltaBuilder? _delta;
    private Zone? _edited;
    private uint _deltaTo;
    private long _haveBytes;
    private long _storedOctets;
    private long _versionBytes;
    private byte[] _lastAdded = [];

    /// <summary>Starts a transfer.</summary>
    /// <param name="query">The query; owned by the caller.</param>
    /// <param name="have">The current version; null = none.</param>
    /// <param name="acceptsAnySerial">Whether a whole zone may have any serial, by request of the operator.</param>
    public TransferReader(PrimaryQuery query, Zone? have, TransferOptions limits, ZoneLimits zoneLimits,
        bool acceptsAnySerial = false)
    {
        (_query, _have, _limits, _zoneLimits, _acceptsAnySerial) = (query, have, limits, zoneLimits, acceptsAnySerial);
        _edited = have;
    }

    private enum Phase : byte
    {
        FirstSoa,
        SecondRecord,
        Whole,
        Removed,
        Added,
        Ended,
    }

    /// <summary>The failure; null for none.</summary>
    public TransferFailure? Failure { get; private set; }

    /// <summary>Whether the current version is as new as the primary's.</summary>
    public bool IsUpToDate { get; private set; }

    /// <summary>Whether it was incremental.</summary>
    public bool IsIncremental { get; private set; }

    /// <summary>The versions of an incremental transfer in order, each with its delta; else empty.</summary>
    public List<(ZoneDelta Delta, Zone Zone)> Versions { get; } = [];

    /// <summary>The complete zone; null if there is nothing newer.</summary>
    public Zone? Zone { get; private set; }

    /// <summary>Warnings about a whole zone that is served nevertheless.</summary>
    public IReadOnlyList<string> Warnings { get; private set; } = [];

    /// <summary>The serial of the first SOA.</summary>
    public uint Serial { get; private set; }

    /// <summary>The EXPIRE option of the first message (RFC 7314), in seconds; null = none.</summary>
    public uint? ExpireSeconds { get; private set; }

    /// <summary>Messages read so far.</summary>
    public int Messages { get; private set; }

    /// <summary>Records read so far.</summary>
    public long Records { get; private set; }

    /// <summary>Octets of the messages read so far.</summary>
    public long Octets { get; private set; }

    /// <summary>Processes the next message.</summary>
    /// <param name="message">The whole message; only borrowed.</param>
    /// <param name="now">Seconds since 1970.</param>
    public TransferStep Take(ReadOnlySpan<byte> message, long now)
    {
        if (Failure is not null) return TransferStep.Failed;
        Octets += message.Length;
        Messages++;
        if (Octets > _limits.MaxOctets)
            return Fail(TransferFailureKind.TooLarge,
                $"found more than {_limits.MaxOctets:N0} octets, which MaxOctets allows");
        if (!IsOfTransfer(message)) return TransferStep.Failed;
        if (_query.Evaluate(message, now, out bool isProven) is { } failure) return Fail(failure);
        if (!TakeRecords(message)) return TransferStep.Failed;
        if (_phase == Phase.SecondRecord && EndsWithOneSoa()) _phase = Phase.Ended;
        // It has no differences, and waits for the query of the whole zone (RFC 1995 §2). A primary that sends one
        // record in a message is sent that query, too.
        if (_phase == Phase.SecondRecord && _query.Type == RRType.IXFR)
            return Fail(TransferFailureKind.DoesNotFit, $"found a single SOA with serial {Serial}, no differences");
        if (_phase != Phase.Ended) return TransferStep.More;
        // RFC 8945 §5.3.1: the last message must be signed.
        if (!isProven) return Fail(TransferFailureKind.Signature, "the last message is not signed");
        return Finish();
    }

    /// <summary>Fails an incomplete transfer, unless it has failed before.</summary>
    public void End(TransferFailure failure) => Fail(failure);

    /// <summary>Checks that header and question match the query.</summary>
    private bool IsOfTransfer(ReadOnlySpan<byte> message)
    {
        if (!MessageReader.TryOpen(message, out MessageReader reader)) return Wrong("a message shorter than a header");
        if (reader.Id != _query.Id) return Wrong("a message with another ID");
        if (!reader.IsResponse || reader.Opcode != Opcode.Query)
            return Wrong("a message that is no response to a query");
        if ((reader.Flags & MessageHeader.Truncated) != 0) return Wrong("a truncated message");
        bool hasCode = reader.HeaderRcode != Rcode.NoError;
        // Only the first message must repeat the question (RFC 5936 §2.2.1); one with an error may be a bare header.
        bool mayLack = Messages > 1 || hasCode;
        if (!(mayLack && reader.Count(MessageSection.Question) == 0) && !_query.HasQuestion(reader))
            return Wrong("a message with another question");
        // AA is not required: Knot DNS clears it in transfers, and the primary is configured.
        if (Messages == 1) ExpireSeconds = SoaAnswer.ReadExpire(reader);
        return true;
    }

    private bool TakeRecords(ReadOnlySpan<byte> message)
    {
        MessageReader reader = OpenAgain(message);
        RecordReader records = reader.ReadRecords();
        int answers = 0;
        while (records.TryRead())
        {
            if (records.Section != MessageSection.Answer) continue;
            answers++;
            if (++Records > _limits.MaxRecords)
            {
                Fail(TransferFailureKind.TooLarge,
                    $"found more than {_limits.MaxRecords:N0} records, which MaxRecords allows");
                return false;
            }
            if (!TryReadRecord(in records, out int octets) || !IsInBounds(octets)
                || !TakeRecord(in records, _rdata.AsSpan(0, octets))) return false;
        }
        if (records.IsMalformed) return Malformed("a message that ends within a record");
        // Otherwise a primary could send empty messages for ever.
        return answers > 0 || Malformed("a message without records");
    }

    private static MessageReader OpenAgain(ReadOnlySpan<byte> message)
    {
        MessageReader.TryOpen(message, out MessageReader reader);
        return reader;
    }

    /// <summary>Checks a single record, and copies owner and RDATA.</summary>
    private bool TryReadRecord(scoped in RecordReader record, out int octets)
    {
        octets = 0;
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        if (!record.TryExpandOwner(owner, out int ownerOctets)) return Malformed("a malformed owner");
        owner = owner[..ownerOctets];
        if (!owner.SequenceEqual(Owner))
        {
            owner.CopyTo(_owner);
            _ownerOctets = ownerOctets;
            _isOwnerInZone = WireName.IsAtOrBelow(owner, _query.Zone.Octets);
            IsSameOwner = false;
        }
        if (!_isOwnerInZone) return Malformed($"{NameText.ToText(owner)}, which is not in the zone");
        if (record.Class != RRClass.IN)
            return Malformed($"class {RRClassText.Format(record.Class)} at {NameText.ToText(owner)}");
        if (Rdata.IsMeta(record.Type))
            return Malformed($"{RRTypeText.Format(record.Type)} at {NameText.ToText(owner)}, which is no data");
        return record.TryReadRdata(_rdata, out octets)
            || Malformed($"malformed RDATA of {RRTypeText.Format(record.Type)} at {NameText.ToText(owner)}");
    }

    private ReadOnlySpan<byte> Owner => _owner.AsSpan(0, _ownerOctets);

    /// <summary>Whether the owner is that of the last record.</summary>
    private bool IsSameOwner { get; set; }

    private bool Wrong(string found) => FailWith(TransferFailureKind.WrongReply, "found " + found);

    private bool Malformed(string found) => FailWith(TransferFailureKind.Malformed, "found " + found);

    private bool FailWith(TransferFailureKind kind, string message)
    {
        Fail(kind, message);
        return false;
    }

    private TransferStep Fail(TransferFailureKind kind, string message) => Fail(new TransferFailure(kind, message));

    private TransferStep Fail(TransferFailure failure)
    {
        Failure ??= failure;
        (_builder, _delta, _edited, Zone) = (null, null, null, null);
        Versions.Clear();
        return TransferStep.Failed;
    }

    private static uint SerialOf(ReadOnlySpan<byte> soa) => BinaryPrimitives.ReadUInt32BigEndian(soa[^SerialFromEnd..]);
}
