namespace Dns.Replication.Outgoing;

/// <summary>Answers AXFR and IXFR queries (RFC 5936, RFC 1995). Thread-safe; does not wait and never throws.</summary>
/// <param name="allowed">The transfer policy of a zone.</param>
public sealed class OutgoingTransfers(TimeProvider time, Func<ZoneSlot, PeerList> allowed)
{
    /// <summary>The default number of concurrent transfers.</summary>
    public const int DefaultMaxAtATime = 32;

    /// <summary>The maximum time of a transfer.</summary>
    public static readonly TimeSpan MaxTime = TimeSpan.FromHours(2);

    // Beyond this, deltas for a datagram are not merged, since the result would rarely fit.
    private const long MostBeforeCondensing = 4 * 1024;

    private readonly TransferSlots _slots = new();
    private volatile TsigKeyRing _keys = TsigKeyRing.Empty;

    /// <summary>The known keys; may be replaced at any time.</summary>
    public TsigKeyRing Keys
    {
        get => _keys;
        set => _keys = value;
    }

    /// <summary>Maximum concurrent transfers, at least 1; half of them for one client. May be changed.</summary>
    public int MaxConcurrent
    {
        get => _slots.Most;
        set => _slots.Most = value;
    }

    /// <summary>The known deltas of zones.</summary>
    public ZoneHistory History { get; init; } = new();

    /// <summary>Receives the results of transfers; null = none.</summary>
    public ITransferObserver? Observer { get; init; }

    /// <summary>Whether secondaries may get the served version of a zone.</summary>
    public Handover Handover { get; init; } = new();

    /// <summary>The counters.</summary>
    public TransferCounters Counters { get; } = new();

    /// <summary>The number of running transfers.</summary>
    public int Running => _slots.Running;

    internal TimeProvider Time => time;

    /// <summary>Answers one query, if its client may transfer the zone.</summary>
    /// <param name="room">Starts with the query; all of it may be written by the reply, at least 512 octets.</param>
    /// <param name="zones">The zones published at the time of receipt.</param>
    /// <returns>Default, with the query unchanged, if the client has no permission or there is no such zone.</returns>
    public TransferReply Answer(Span<byte> room, int queryOctets, ref QueryOrigin origin, ZoneSet zones)
    {
        if (!TransferQuery.TryRead(room[..queryOctets], time, out TransferQuery? query)) return default;
        if (query.Class != RRClass.IN || query.EdnsVersion > 0 || zones.FindExact(query.Name) is not { } slot)
            return default;
        query.IsReliable = origin.Transport.IsReliable;
        // Only IXFR is defined over datagrams (RFC 5936 §4.2).
        if (query.Type != RRType.IXFR && !query.IsReliable) return default;
        TsigRequest signature = TsigRequest.Accept(room[..queryOctets], _keys, time.GetUtcNow().ToUnixTimeSeconds());
        bool isSigned = signature.Rcode == Rcode.NoError;
        if (!isSigned || !allowed(slot).Admits(ref origin.Client, signature.Key))
        {
            signature.Dispose();
            Refuse(slot.Name, in origin.Client, isSigned ? TransferRefusal.NotAllowed : TransferRefusal.BadSignature);
            return default;
        }
        query.Chain = signature.Chain;
        if (!query.IsReliable) room = room[..Math.Min(room.Length, query.DatagramOctets)];
        return Answer(room, query, slot, in origin.Client);
    }

    internal void Leave(ClientAddress client) => _slots.Return(client);

    internal void Refuse(DomainName zone, in ClientAddress client, TransferRefusal reason)
    {
        Counters.CountRefused(reason);
        Observer?.OnRefused(zone, in client, reason);
    }

    internal void End(in TransferSummary summary)
    {
        Counters.CountEnded(summary.Kind, summary.Outcome);
        Observer?.OnEnded(in summary);
    }

    private TransferReply Answer(Span<byte> room, TransferQuery query, ZoneSlot slot, in ClientAddress client)
    {
        Zone? zone = slot.State is ZoneState.Serving or ZoneState.Stale ? slot.Zone : null;
        if (query.LacksSerial) return Write(room, query, Rcode.FormErr, null);
        if (zone is null)
        {
            Refuse(slot.Name, in client, TransferRefusal.NoData);
            return Write(room, query, Rcode.ServFail, null);
        }
        if (zone.OnlineSigner is not null)
        {
            Refuse(slot.Name, in client, TransferRefusal.SignedOnline);
            return Write(room, query, Rcode.Refused, null);
        }
        if (!Handover.MaySend(slot.Name))
        {
            Refuse(slot.Name, in client, TransferRefusal.TakingOver);
            return Write(room, query, Rcode.ServFail, null);
        }
        // A client with this version or a later one gets the SOA alone (RFC 1995 §2).
        if (query.Type == RRType.IXFR && !SerialNumber.IsGreater(zone.Serial, query.Serial))
            return Write(room, query, Rcode.NoError, zone);
        if (!query.IsReliable) return AnswerDatagram(room, query, slot, zone, in client);
        if (!_slots.TryTake(client))
        {
            Refuse(slot.Name, in client, TransferRefusal.Busy);
            return Write(room, query, Rcode.ServFail, null);
        }
        TransferSequence sequence = query.Type == RRType.IXFR
            ? new IxfrSequence(zone, () => FindChanges(slot, zone, query.Serial, long.MaxValue), query)
            : new AxfrSequence(zone, query);
        sequence.Begin(this, slot.Name, in client);
        return new TransferReply(0, sequence);
    }

    /// <summary>Answers with the deltas if they fit one datagram, else with the SOA alone (RFC 1995 §2).</summary>
    private TransferReply AnswerDatagram(Span<byte> room, TransferQuery query, ZoneSlot slot, Zone zone,
        in ClientAddress client)
    {
        // A worker does not read what is stored of a large zone: the secondary continues over TCP.
        IReadOnlyList<ZoneDelta> changes =
            History.TryPrepare(slot) ? FindChanges(slot, zone, query.Serial, MostBeforeCondensing) : [];
        if (changes.Count == 0) return Write(room, query, Rcode.NoError, zone);
        IxfrSequence sequence = new(zone, () => changes, query);
        sequence.Begin(this, slot.Name, in client);
        if (!sequence.TryWriteWhole(room, out int octets)) return Write(room, query, Rcode.NoError, zone);
        using (sequence) return new TransferReply(octets, null);
    }

    /// <summary>The deltas from a serial in the shortest form; empty if unknown or longer than the zone.</summary>
    /// <param name="most">The maximum octets of deltas.</param>
    private IReadOnlyList<ZoneDelta> FindChanges(ZoneSlot slot, Zone zone, uint serial, long most)
    {
        if (!History.TryFind(slot, zone, serial, out ZoneChanges? changes, most)) return [];
        (IReadOnlyList<ZoneDelta> deltas, long octets) = (changes.Deltas, changes.Octets);
        // One delta has two SOAs fewer than two deltas, so it is always shorter.
        if (deltas.Count > 1 && CondensedDelta.Of(deltas) is { } condensed)
            (deltas, octets) = ([condensed], TransferOctets.Of(condensed));
        return octets < changes.ZoneOctets ? deltas : [];
    }

    private static TransferReply Write(Span<byte> room, TransferQuery query, Rcode rcode, Zone? zone)
    {
        using (query) return new TransferReply(query.Write(room, rcode, zone), null);
    }
}
