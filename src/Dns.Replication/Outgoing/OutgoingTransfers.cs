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

    /// <summary>Answers one query.</summary>
    /// <param name="room">Starts with the query; all of it is room for the reply, 512 octets at least.</param>
    /// <param name="queryOctets">Length of the query.</param>
    /// <param name="origin">Who asked, and how.</param>
    /// <param name="zones">The zones published when it came.</param>
    public TransferReply Answer(Span<byte> room, int queryOctets, ref QueryOrigin origin, ZoneSet zones)
    {
        TsigRequest signature = TsigRequest.Accept(room[..queryOctets], _keys, time.GetUtcNow().ToUnixTimeSeconds());
        if (signature.Rcode != Rcode.NoError) return new TransferReply(signature.Refuse(room, queryOctets), null);
        if (!TransferQuery.TryRead(room[..queryOctets], signature.Chain, time, out TransferQuery? query))
        {
            signature.Dispose();
            return new TransferReply(WriteFormErr(room), null);
        }
        Rcode rcode = Judge(query, ref origin, zones, out Zone? zone);
        if (rcode == Rcode.NoError && IsWhole(query, zone!, origin.Transport))
            return new TransferReply(0, new ZoneSequence(zone!, query));
        using (query) return new TransferReply(query.Write(room, rcode, zone), null);
    }

    private Rcode Judge(TransferQuery query, ref QueryOrigin origin, ZoneSet zones, out Zone? zone)
    {
        zone = null;
        if (query.Class != RRClass.IN || zones.FindExact(query.Name) is not { } slot) return Rcode.NotAuth;
        // Over datagrams there is IXFR alone (RFC 5936 §4.2).
        if (query.Type != RRType.IXFR && !origin.Transport.IsReliable) return Rcode.Refused;
        if (!allowed(slot).Admits(ref origin.Client, query.Chain?.Key)) return Rcode.Refused;
        zone = slot.State is ZoneState.Serving or ZoneState.Stale ? slot.Zone : null;
        return zone is null ? Rcode.ServFail : Rcode.NoError;
    }

    /// <summary>Whether the whole zone is sent; else the SOA alone is (RFC 1995 §2, §4).</summary>
    private static bool IsWhole(TransferQuery query, Zone zone, DnsTransport transport) =>
        transport.IsReliable && (query.Type == RRType.AXFR || SerialNumber.IsGreater(zone.Serial, query.Serial));

    private static int WriteFormErr(Span<byte> room)
    {
        MessageHeader.SetFlags(room, (ushort)(MessageHeader.QueryResponse | (int)Rcode.FormErr));
        room[4..MessageHeader.LengthOctets].Clear();
        return MessageHeader.LengthOctets;
    }
}
