using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <summary>What one thread has answered, or the sum over all of them. Numbers only grow.</summary>
public sealed class AnswerTally
{
    /// <summary>Codes that are counted one by one, from 0; higher ones are not sent without DNSSEC keys.</summary>
    public const int Codes = 24;

    /// <summary>Types below are counted one by one, and so are ANY and CAA.</summary>
    private const int LowTypes = 66;
    private const int AnyPlace = LowTypes, CaaPlace = LowTypes + 1, OtherPlace = LowTypes + 2, TypePlaces = LowTypes + 3;
    private const int Kinds = (int)AnswerKind.Later + 1;
    private const int Transports = DnsTransport.Kinds;

    private const int TypesAt = Transports * Codes, KindsAt = TypesAt + TypePlaces, RelayedAt = KindsAt + Kinds;
    private const int TruncatedAt = RelayedAt + 1, CookiesAt = TruncatedAt + 1;
    private const int OctetsAt = CookiesAt + (int)CookieState.Valid + 1, LengthsAt = OctetsAt + Transports;
    private const int ClientsAt = LengthsAt + Transports * AnswerLengths.Count;
    private const int Size = ClientsAt + (int)ClientEdns.DnssecOk * 2 + 2;

    // Two cache lines of nobody at either end: threads that count side by side do not touch each other's lines.
    private const int Padding = 16;

    private readonly long[] _counts = new long[Padding + Size + Padding];
    private readonly ZoneTally? _zones;

    /// <summary>A tally, of zones too if <paramref name="zones"/> is given.</summary>
    internal AnswerTally(ZoneTally? zones = null) => _zones = zones;

    /// <summary>Answers by transport and code.</summary>
    public long Answers(DnsTransport transport, Rcode rcode) => Read((int)transport.Kind * Codes + (int)rcode);

    /// <summary>Answers of a code, over all transports.</summary>
    public long Answers(Rcode rcode)
    {
        long sum = 0;
        foreach (DnsTransport transport in DnsTransport.All) sum += Answers(transport, rcode);
        return sum;
    }

    /// <summary>Queries of a type that could be read; those of types that are not counted one by one with type 0.</summary>
    public long Queries(RRType type) => Read(TypesAt + PlaceOf(type));

    /// <summary>Queries by what became of them.</summary>
    public long Of(AnswerKind kind) => Read(KindsAt + (int)kind);

    /// <summary>Answers that others gave, whether remembered or just asked for.</summary>
    public long Relayed => Read(RelayedAt);

    /// <summary>Answers with TC.</summary>
    public long Truncated => Read(TruncatedAt);

    /// <summary>Octets of all answers.</summary>
    public long Octets
    {
        get
        {
            long sum = 0;
            foreach (DnsTransport transport in DnsTransport.All) sum += OctetsOf(transport);
            return sum;
        }
    }

    /// <summary>Octets of all answers of a transport.</summary>
    public long OctetsOf(DnsTransport transport) => Read(OctetsAt + (int)transport.Kind);

    /// <summary>How many answers of a transport there are in each of the <see cref="AnswerLengths"/>.</summary>
    public long[] Lengths(DnsTransport transport)
    {
        long[] lengths = new long[AnswerLengths.Count];
        for (int i = 0; i < lengths.Length; i++) lengths[i] = Read(LengthsAt + (int)transport.Kind * AnswerLengths.Count + i);
        return lengths;
    }

    /// <summary>Messages received, by the family of the client's address and by what the query says of EDNS.</summary>
    public long Of(bool isIPv4, ClientEdns edns) => Read(PlaceOf(isIPv4, edns));

    /// <summary>Queries by how their cookie stood.</summary>
    public long Of(CookieState state) => Read(CookiesAt + (int)state);

    /// <summary>Whether a type is counted by itself, and not with all others as type 0.</summary>
    public static bool IsCountedAlone(RRType type) => PlaceOf(type) != OtherPlace && type != 0;

    /// <summary>Counts a query that could be read, and what was answered.</summary>
    internal void Count(
        ReadOnlySpan<byte> message, int length, DnsTransport transport, ref readonly Query query, ref ClientAddress client,
        ZoneSlot? zoneSlot)
    {
        Add(TypesAt + PlaceOf(query.Type), 1);
        Count(query.Edns.Cookie.State);
        ClientEdns edns = query.Edns.DnssecOk ? ClientEdns.DnssecOk : query.Edns.IsPresent ? ClientEdns.Plain : ClientEdns.None;
        Add(PlaceOf(client.IsIPv4, edns), 1);
        CountAnswer(message, length, transport, query.IsRelayed, zoneSlot);
    }

    /// <summary>Counts a message that could not be read as a query, and what was answered.</summary>
    internal void CountUnread(ReadOnlySpan<byte> message, int length, DnsTransport transport, ref ClientAddress client)
    {
        Add(PlaceOf(client.IsIPv4, ClientEdns.None), 1);
        CountAnswer(message, length, transport, isRelayed: false, zoneSlot: null);
    }

    /// <summary>Counts what was answered.</summary>
    /// <remarks>Inlined: seven arguments, handed on, would cost as much as the counting.</remarks>
    /// <param name="message">The answer.</param>
    /// <param name="length">Its length, or that there is none.</param>
    /// <param name="transport">How it goes.</param>
    /// <param name="isRelayed">Whether others were asked for the question's own name.</param>
    /// <param name="zoneSlot">The zone of the question's name; null = none is served.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void CountAnswer(ReadOnlySpan<byte> message, int length, DnsTransport transport, bool isRelayed, ZoneSlot? zoneSlot)
    {
        if (length <= 0)
        {
            Add(KindsAt + (int)(length == Responder.AnswersLater ? AnswerKind.Later : AnswerKind.Silence), 1);
            // What is answered later is counted for its zone then.
            if (length == 0) _zones?.CountUnanswered(zoneSlot, isRelayed);
            return;
        }
        int flags = MessageHeader.Flags(message);
        int rcode = RcodeOf(message, flags);
        Add((int)transport.Kind * Codes + rcode, 1);
        Add(KindsAt + (int)KindOf(message, flags, rcode, isRelayed), 1);
        Add(OctetsAt + (int)transport.Kind, length);
        Add(LengthsAt + (int)transport.Kind * AnswerLengths.Count + AnswerLengths.Of(length), 1);
        if (isRelayed) Add(RelayedAt, 1);
        if ((flags & MessageHeader.Truncated) != 0) Add(TruncatedAt, 1);
        _zones?.Count(zoneSlot, isRelayed, rcode);
    }

    /// <summary>Counts how a cookie stood.</summary>
    internal void Count(CookieState state) => Add(CookiesAt + (int)state, 1);

    /// <summary>Zones, as this thread counts them.</summary>
    internal ZoneTally? Zones => _zones;

    /// <summary>Adds another tally to this one, zones left out.</summary>
    internal void Add(AnswerTally other)
    {
        for (int i = 0; i < Size; i++) Add(i, other.Read(i));
    }

    internal static AnswerKind KindOf(ReadOnlySpan<byte> message, int flags, bool isRelayed) =>
        KindOf(message, flags, RcodeOf(message, flags), isRelayed);

    private static int RcodeOf(ReadOnlySpan<byte> message, int flags) =>
        IsBadVersion(message, flags) ? (int)Rcode.BadVers : flags & MessageHeader.RcodeMask;

    private static AnswerKind KindOf(ReadOnlySpan<byte> message, int flags, int rcode, bool isRelayed) =>
        (Rcode)rcode switch
        {
            Rcode.NoError when MessageHeader.Count(message, 1) > 0 || (flags & MessageHeader.Truncated) != 0 => AnswerKind.Positive,
            Rcode.NoError when isRelayed || (flags & MessageHeader.AuthoritativeAnswer) != 0 => AnswerKind.NoData,
            Rcode.NoError => AnswerKind.Referral,
            Rcode.NXDomain => AnswerKind.NameError,
            Rcode.YXDomain => AnswerKind.Positive,
            Rcode.Refused or Rcode.NotAuth => AnswerKind.Refused,
            Rcode.ServFail => AnswerKind.Failure,
            _ => AnswerKind.Malformed,
        };

    /// <summary>
    /// Whether an answer of ours is BADVERS, whose upper bits stand in the OPT (RFC 6891 §6.1.3): the only record behind
    /// the question of an answer that would else be a referral without servers.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsBadVersion(ReadOnlySpan<byte> message, int flags) =>
        (flags & (MessageHeader.RcodeMask | MessageHeader.AuthoritativeAnswer | MessageHeader.Truncated)) == 0
        && IsBadVersionSlow(message);

    private static bool IsBadVersionSlow(ReadOnlySpan<byte> message)
    {
        const int fields = 4, upperBitsAt = 5;
        if (MessageHeader.Count(message, 1) != 0 || MessageHeader.Count(message, 2) != 0 || MessageHeader.Count(message, 3) != 1)
            return false;
        int at = MessageHeader.LengthOctets;
        if (MessageHeader.Count(message, 0) != 0)
        {
            while (message[at] != 0) at += message[at] + 1;
            at += 1 + fields;
        }
        return message[at] == 0 && message[at + upperBitsAt] == (int)Rcode.BadVers >> 4;
    }

    private static int PlaceOf(bool isIPv4, ClientEdns edns) => ClientsAt + (int)edns * 2 + (isIPv4 ? 0 : 1);

    private static int PlaceOf(RRType type) => (int)type switch
    {
        0 => OtherPlace,
        < LowTypes => (int)type,
        (int)RRType.ANY => AnyPlace,
        (int)RRType.CAA => CaaPlace,
        _ => OtherPlace,
    };

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Add(int place, long count) => _counts[Padding + place] += count;

    private long Read(int place) => Volatile.Read(ref _counts[Padding + place]);
}
