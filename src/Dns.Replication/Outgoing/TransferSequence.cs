using Dns.Protocol;

namespace Dns.Replication;

/// <summary>
/// The messages of a transfer. Each is filled up to the room that it gets; the first has the question (RFC 5936 §2.2). A record that
/// fits into no message ends the transfer.
/// </summary>
/// <remarks>Pulled by one thread at a time. Holds what is sent, a table of names and the key.</remarks>
/// <param name="query">What was asked; disposed with the sequence.</param>
public abstract class TransferSequence(TransferQuery query) : IReplySequence
{
    /// <summary>
    /// The length of a full message: as far as pointers reach. Behind it each record would have its names once more; a zone of
    /// delegations would take a quarter more octets with messages of 64 KiB. A record that is longer has a message of its own length.
    /// </summary>
    internal const int FullOctets = MessageNames.MaxOffset + 1;

    private OutgoingTransfers? _owner;
    private ClientAddress _client;
    private DomainName? _zone;
    private long _begun;
    private long _messages;
    private long _octets;
    private string? _tooLarge;
    private bool _isDisposed;

    /// <summary>Records sent so far.</summary>
    public long Records { get; private set; }

    /// <summary>Whether all records are written.</summary>
    public bool IsComplete { get; private set; }

    /// <summary>Its form.</summary>
    public abstract TransferKind Kind { get; }

    /// <summary>The serial of the version that is sent.</summary>
    public abstract uint Serial { get; }

    /// <summary>What was asked.</summary>
    protected TransferQuery Query => query;

    /// <inheritdoc/>
    public SequenceStep WriteNext(Span<byte> room, out int octets)
    {
        octets = 0;
        if (IsComplete) return SequenceStep.Ended;
        if (_tooLarge is not null) return SequenceStep.Failed;
        octets = Write(room[..Math.Min(room.Length, FullOctets)]);
        if (octets == 0 && room.Length > FullOctets) octets = Write(room);
        if (octets == 0) return WantsRoom(room);
        Count(octets);
        return SequenceStep.Written;
    }

    /// <summary>Writes all of it as one message, or nothing that counts. Instead of <see cref="WriteNext"/>.</summary>
    /// <param name="room">Receives the message; as long as that may be.</param>
    /// <param name="octets">Its length.</param>
    /// <returns>False if it does not fit.</returns>
    internal bool TryWriteWhole(Span<byte> room, out int octets)
    {
        MessageWriter writer = new(room, query.Names);
        IsComplete = query.TryBegin(ref writer, withQuestion: true) && TryWriteRest(ref writer);
        octets = IsComplete ? query.Finish(ref writer, room, isFirst: true) : 0;
        if (IsComplete) Count(octets);
        return IsComplete;
    }

    /// <summary>Writes a reply that there is no transfer, before the first message.</summary>
    /// <param name="room">Receives it.</param>
    /// <param name="rcode">Why.</param>
    /// <returns>Its length.</returns>
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

    /// <summary>Has the end of the transfer counted and told.</summary>
    internal void Begin(OutgoingTransfers owner, DomainName zone, in ClientAddress client)
    {
        (_owner, _zone, _client) = (owner, zone, client);
        _begun = owner.Time.GetTimestamp();
    }

    /// <summary>Writes records until all are written.</summary>
    /// <returns>Whether all are; false if the next one does not fit into the message.</returns>
    private protected abstract bool TryWriteRest(ref MessageWriter writer);

    /// <summary>Owner and type of the record that is written next, for people.</summary>
    private protected abstract string TextOfNext();

    private protected bool TryWrite(
        ref MessageWriter writer, scoped ReadOnlySpan<byte> owner, RRType type, uint ttl, scoped ReadOnlySpan<byte> rdata) =>
        TryCount(writer.TryWrite(MessageSection.Answer, owner, type, RRClass.IN, ttl, rdata));

    /// <summary>Counts a record, if it was written.</summary>
    private protected bool TryCount(bool isWritten)
    {
        if (isWritten) Records++;
        return isWritten;
    }

    /// <summary>Writes a message with as many records as fit.</summary>
    /// <returns>Its length; 0 if not one fits.</returns>
    private int Write(Span<byte> room)
    {
        MessageWriter writer = new(room, query.Names);
        long before = Records;
        bool isFirst = _messages == 0;
        if (query.TryBegin(ref writer, withQuestion: isFirst)) IsComplete = TryWriteRest(ref writer);
        return Records == before ? 0 : query.Finish(ref writer, room, isFirst);
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
