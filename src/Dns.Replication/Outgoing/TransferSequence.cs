namespace Dns.Replication.Outgoing;

/// <summary>
/// The messages of a transfer, each filled as far as it has room; the first has the question (RFC 5936 §2.2). A record
/// that exceeds the maximum message length ends the transfer.
/// </summary>
/// <remarks>Pulled by one thread at a time. Holds the data to send, a name table and the key.</remarks>
/// <param name="query">The query; disposed with the sequence.</param>
public abstract class TransferSequence(TransferQuery query) : IReplySequence
{
    // The length of a full message: the reach of compression pointers. Behind it names would be repeated; a zone of
    // delegations would take a quarter more octets with messages of 64 KiB. A longer record gets a longer message.
    internal const int FullOctets = MessageNames.MaxOffset + 1;

    // How far a message may be exceeded by more records of its last owner, which the next message would repeat.
    internal const int OverrunOctets = 1024;

    private OutgoingTransfers? _owner;
    private ClientAddress _client;
    private DomainName? _zone;
    private long _begun;
    private long _messages;
    private long _octets;
    private string? _tooLarge;
    private bool _isDisposed;

    // Limits of the current message: for a record of another owner, and of the same.
    private int _limit;
    private int _furtherLimit;

    /// <summary>Records sent so far.</summary>
    public long Records { get; private set; }

    /// <summary>Whether all records are written.</summary>
    public bool IsComplete { get; private set; }

    /// <summary>The kind.</summary>
    public abstract TransferKind Kind { get; }

    /// <summary>The serial sent.</summary>
    public abstract uint Serial { get; }

    /// <summary>The query.</summary>
    protected TransferQuery Query => query;

    /// <inheritdoc/>
    public SequenceStep WriteNext(Span<byte> room, out int octets)
    {
        octets = 0;
        if (IsComplete) return SequenceStep.Ended;
        if (_tooLarge is not null || IsTooOld) return SequenceStep.Failed;
        octets = Write(room[..Math.Min(room.Length, FullOctets + OverrunOctets)], FullOctets);
        if (octets == 0 && room.Length > FullOctets) octets = Write(room, room.Length);
        if (octets == 0) return WantsRoom(room);
        Count(octets);
        return SequenceStep.Written;
    }

    // Each holds its version of the zone in memory.
    private bool IsTooOld => _owner is { } owner && owner.Time.GetElapsedTime(_begun) > OutgoingTransfers.MaxTime;

    /// <summary>Writes all as one message instead of <see cref="WriteNext"/>; false if it does not fit.</summary>
    /// <param name="room">Receives the message; its maximum length.</param>
    internal bool TryWriteWhole(Span<byte> room, out int octets)
    {
        MessageWriter writer = new(room, query.Names);
        IsComplete = TryBegin(ref writer, room.Length, isFirst: true) && TryWriteRest(ref writer);
        octets = IsComplete ? Finish(ref writer, room, isFirst: true) : 0;
        if (IsComplete) Count(octets);
        return IsComplete;
    }

    /// <summary>Writes a refusal before the first message; returns its length.</summary>
    public int Refuse(Span<byte> room, Rcode rcode)
    {
        _owner?.Refuse(_zone!, in _client, TransferRefusal.Busy);
        _owner?.Leave(_client);
        _owner = null;
        return query.Write(room, rcode);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isDisposed) return;
        _isDisposed = true;
        query.Dispose();
        if (_owner is not { } owner) return;
        TransferOutcome outcome = IsComplete ? TransferOutcome.Complete
            : _tooLarge is null ? TransferOutcome.ClosedEarly : TransferOutcome.RecordTooLarge;
        if (query.IsReliable) owner.Leave(_client);
        owner.End(new TransferSummary(
            _zone!, _client, query.Chain?.Key.Name, Kind, Serial, outcome, Records, _messages, _octets,
            owner.Time.GetElapsedTime(_begun), _tooLarge) { IsDatagram = !query.IsReliable });
    }

    /// <summary>Registers where the end of the transfer is counted and reported.</summary>
    internal void Begin(OutgoingTransfers owner, DomainName zone, in ClientAddress client)
    {
        (_owner, _zone, _client) = (owner, zone, client);
        _begun = owner.Time.GetTimestamp();
    }

    /// <summary>Writes the remaining records; false if the next one does not fit the message.</summary>
    private protected abstract bool TryWriteRest(ref MessageWriter writer);

    /// <summary>Owner and type of the next record as text.</summary>
    private protected abstract string TextOfNext();

    /// <summary>Writes a record.</summary>
    /// <param name="isFurther">Whether the record before it in this message has the same owner.</param>
    private protected bool TryWrite(
        ref MessageWriter writer, scoped ReadOnlySpan<byte> owner, RRType type, uint ttl,
        scoped ReadOnlySpan<byte> rdata, bool isFurther = false)
    {
        writer.Limit = isFurther ? _furtherLimit : _limit;
        return TryCount(writer.TryWrite(MessageSection.Answer, owner, type, RRClass.IN, ttl, rdata));
    }

    private protected bool TryWriteSoa(ref MessageWriter writer, Zone zone)
    {
        writer.Limit = _limit;
        return TryCount(TransferQuery.TryWriteSoa(ref writer, zone));
    }

    private bool TryCount(bool isWritten)
    {
        if (isWritten) Records++;
        return isWritten;
    }

    /// <summary>Writes a message with as many records as fit; 0 if none does.</summary>
    /// <param name="full">The length from which on records of another owner go into the next message.</param>
    private int Write(Span<byte> room, int full)
    {
        MessageWriter writer = new(room, query.Names);
        long before = Records;
        bool isFirst = _messages == 0;
        if (TryBegin(ref writer, full, isFirst)) IsComplete = TryWriteRest(ref writer);
        return Records == before ? 0 : Finish(ref writer, room, isFirst);
    }

    private bool TryBegin(ref MessageWriter writer, int full, bool isFirst)
    {
        int room = writer.Limit;
        bool hasBegun = query.TryBegin(ref writer, withQuestion: isFirst);
        _furtherLimit = writer.Limit;
        _limit = _furtherLimit - Math.Max(0, room - full);
        return hasBegun;
    }

    private int Finish(ref MessageWriter writer, Span<byte> room, bool isFirst)
    {
        writer.Limit = _furtherLimit;
        return query.Finish(ref writer, room, isFirst);
    }

    private void Count(int octets)
    {
        _messages++;
        _octets += octets;
        _owner?.Counters.CountOctets(octets);
    }

    private SequenceStep WantsRoom(Span<byte> room)
    {
        if (room.Length < ushort.MaxValue) return SequenceStep.NeedsRoom;
        _tooLarge = TextOfNext();
        return SequenceStep.Failed;
    }
}
