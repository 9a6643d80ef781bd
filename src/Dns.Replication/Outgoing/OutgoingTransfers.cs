using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>Answers queries for transfers, AXFR and IXFR (RFC 5936, RFC 1995). Thread-safe; does not wait and never throws.</summary>
/// <param name="time">Says when messages are signed, and whether those of others are of now.</param>
/// <param name="allowed">Who may have a zone.</param>
public sealed class OutgoingTransfers(TimeProvider time, Func<ZoneSlot, PeerList> allowed)
{
    private volatile TsigKeyRing _keys = TsigKeyRing.Empty;

    /// <summary>The keys that are known; may be replaced at any time.</summary>
    public TsigKeyRing Keys
    {
        get => _keys;
        set => _keys = value;
    }

    /// <summary>Answers one query, if its client may have the zone.</summary>
    /// <param name="room">Starts with the query; all of it is room for the reply, 512 octets at least.</param>
    /// <param name="queryOctets">Length of the query.</param>
    /// <param name="origin">Who asked, and how.</param>
    /// <param name="zones">The zones published when it came.</param>
    /// <returns>The default value, with the query as it was, if the client may not, or there is no such zone.</returns>
    public TransferReply Answer(Span<byte> room, int queryOctets, ref QueryOrigin origin, ZoneSet zones)
    {
        if (!TransferQuery.TryRead(room[..queryOctets], time, out TransferQuery? query)) return default;
        if (query.Class != RRClass.IN || query.EdnsVersion > 0 || zones.FindExact(query.Name) is not { } slot) return default;
        // Over datagrams there is IXFR alone (RFC 5936 §4.2).
        if (query.Type != RRType.IXFR && !origin.Transport.IsReliable) return default;
        TsigRequest signature = TsigRequest.Accept(room[..queryOctets], _keys, time.GetUtcNow().ToUnixTimeSeconds());
        if (signature.Rcode != Rcode.NoError || !allowed(slot).Admits(ref origin.Client, signature.Key))
        {
            signature.Dispose();
            return default;
        }
        query.Chain = signature.Chain;
        Zone? zone = slot.State is ZoneState.Serving or ZoneState.Stale ? slot.Zone : null;
        if (zone is not null && !query.LacksSerial && IsWhole(query, zone, origin.Transport))
            return new TransferReply(0, new ZoneSequence(zone, query));
        Rcode rcode = query.LacksSerial ? Rcode.FormErr : zone is null ? Rcode.ServFail : Rcode.NoError;
        if (!origin.Transport.IsReliable) room = room[..Math.Min(room.Length, query.DatagramOctets)];
        using (query) return new TransferReply(query.Write(room, rcode, rcode == Rcode.NoError ? zone : null), null);
    }

    /// <summary>Whether the whole zone is sent; else the SOA alone is (RFC 1995 §2, §4).</summary>
    private static bool IsWhole(TransferQuery query, Zone zone, DnsTransport transport) =>
        transport.IsReliable && (query.Type == RRType.AXFR || SerialNumber.IsGreater(zone.Serial, query.Serial));
}
