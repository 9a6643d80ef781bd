using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <summary>
/// What the reply to a message is: a function of its octets, the client and the zones published at this moment.
/// </summary>
/// <remarks>
/// Used by all threads at once. Allocates nothing for a query, takes no lock, writes no log, never throws. The answer is
/// written over the query; everything needed of the query is read before.
/// </remarks>
public sealed partial class Responder
{
    /// <summary>What <see cref="Respond{TRelay}"/> returns when someone else was asked and the answer comes later.</summary>
    public const int AnswersLater = -1;

    private const int NotAnswered = -2;

    private readonly PublishedZones _zones;
    private readonly ResponderOptions _options;
    private readonly ChaosAnswers _chaos;
    private readonly byte[] _identity;
    private readonly IForwardedZones? _forwarded;

    /// <summary>Makes a responder for the zones published now and later.</summary>
    /// <param name="zones">The zones.</param>
    /// <param name="options">What the operator decided.</param>
    /// <param name="forwarded">The names that others are asked for; null = none.</param>
    public Responder(PublishedZones zones, ResponderOptions options, IForwardedZones? forwarded = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxUdpPayload, ResponderOptions.MinUdpPayload);
        _zones = zones;
        _options = options;
        _forwarded = forwarded;
        _identity = options.Identity is null ? [] : options.IdentityOctets;
        _chaos = new ChaosAnswers(options);
    }

    /// <summary>What was answered so far.</summary>
    public AnswerCounters Counters { get; init; } = new();

    /// <summary>
    /// Where an exception at one message of a batch is reported, so that it costs the others nothing; null = it is thrown.
    /// </summary>
    public IExceptionSink? Exceptions { get; init; }

    /// <summary>What the operator decided.</summary>
    public ResponderOptions Options => _options;

    /// <summary>
    /// A responder that goes on with other decisions: the same zones, the same counters. Whoever answers takes one of the
    /// two for a whole message.
    /// </summary>
    public Responder With(ResponderOptions options) => new(_zones, options, _forwarded)
    {
        Counters = Counters,
        Exceptions = Exceptions,
    };

    /// <summary>A responder that answers alike, counts for itself and limits nothing: for questions that are not clients'.</summary>
    public Responder Apart() => new(_zones, _options with { RateLimiter = null }, _forwarded)
    {
        Counters = AnswerCounters.WithoutZones(),
    };

    /// <summary>Answers one message in place from the zones served alone.</summary>
    /// <param name="message">Starts with the query; the rest is room. At least 512 octets.</param>
    /// <param name="queryOctets">Length of the query; above the room's length if it was cut on receipt.</param>
    /// <param name="origin">Who sent it, how and when.</param>
    /// <returns>Length of the answer in octets; 0 if there is to be none.</returns>
    public int Respond(Span<byte> message, int queryOctets, ref QueryOrigin origin)
    {
        NoRelay none = default;
        return Respond(message, queryOctets, ref origin, ref none);
    }

    /// <summary>Answers one message in place, from the zones served and from what others say.</summary>
    /// <param name="message">Starts with the query; the rest is room. At least 512 octets.</param>
    /// <param name="queryOctets">Length of the query; above the room's length if it was cut on receipt.</param>
    /// <param name="origin">Who sent it, how and when.</param>
    /// <param name="relay">What others say.</param>
    /// <returns>
    /// Length of the answer in octets; 0 if there is to be none; <see cref="AnswersLater"/> if the query waits for an answer.
    /// </returns>
    public int Respond<TRelay>(Span<byte> message, int queryOctets, ref QueryOrigin origin, ref TRelay relay)
        where TRelay : IRelay, allows ref struct =>
        RespondToOne(message, queryOctets, origin.Transport, ref origin.Client, ref relay);

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private int RespondToOne<TRelay>(
        Span<byte> message, int queryOctets, DnsTransport transport, ref ClientAddress client, ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        Unsafe.SkipInit(out Query query);
        int length = Admit(message, queryOctets, ref client, ref query);
        if (length != NotAnswered)
        {
            length = Limit(message, length, transport, isRead: false, ref query, ref client);
            Counters.Current.CountUnread(message, length, transport, ref client);
            return length;
        }
        if (!transport.IsReliable) _options.RateLimiter?.Prefetch(query.Name.Hash, ref client);
        ZoneSet zones = _zones.Current;
        ZoneSlot? zoneSlot = Resolution.FindZone(zones, in query.Name, query.Type, out int apexSkip);
        length = Answer(message, transport, zones, zoneSlot, apexSkip, ref query, ref client, ref relay);
        length = Limit(message, length, transport, isRead: true, ref query, ref client);
        Counters.Current.Count(message, length, transport, in query, ref client, zoneSlot);
        return length;
    }

    /// <summary>Reads a query, or ends what is none.</summary>
    /// <returns><see cref="NotAnswered"/> if the query was read; else the length of what goes back.</returns>
    private int Admit(Span<byte> message, int queryOctets, ref ClientAddress client, ref Query query)
    {
        if (queryOctets < MessageHeader.LengthOctets) return 0;
        query.Edns = default;
        ushort flags = MessageHeader.Flags(message);
        // Never answer an answer, nor what no client can have sent: two servers would talk for ever (CVE-2024-2169).
        if ((flags & MessageHeader.QueryResponse) != 0 || client.Port == 0) return 0;
        if (MessageHeader.OpcodeOf(flags) != Opcode.Query) return RefuseOpcode(message, queryOctets, flags);
        if (queryOctets > message.Length) return WriteHeaderOnly(message, flags, Rcode.FormErr);
        if (!query.TryRead(message, queryOctets)) return AnswerUnreadable(message, queryOctets, flags, ref client, ref query);
        return query.Edns.Cookie.State == CookieState.None || TryExchangeCookie(ref query.Edns, ref client)
            ? NotAnswered : RefuseCookie(message, ref query);
    }

    /// <summary>Answers a query that was read and whose zone was looked for.</summary>
    private int Answer<TRelay>(
        Span<byte> message, DnsTransport transport, ZoneSet zones, ZoneSlot? zoneSlot, int apexSkip, ref Query query,
        ref ClientAddress client, ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        int limit = ResponseLimit(message.Length, transport, in query.Edns);
        if (typeof(TRelay) != typeof(NoRelay) && _forwarded is not null && _forwarded.MayRecurse(ref client))
            query.Offered = MessageHeader.RecursionAvailable;
        if (query.TsigAt != 0) return RefuseSignature(message, limit, transport, ref query);
        // A long identity beside a long name may leave no room at 512 octets; what was asked for on top goes first.
        if (query.Edns.Asked != EdnsAsked.None && query.QuestionEnd + OptOctets(in query.Edns, transport) > limit)
            query.Edns.Asked &= EdnsAsked.Cookie;
        if (query.Edns.IsPresent && query.Edns.Version > 0)
            return FinishEmpty(message, limit, in query, Rcode.BadVers, transport);
        if (query.Class != RRClass.IN) return AnswerClass(message, limit, transport, ref query);
        if (Verdict(query.Type, isApex: zoneSlot is not null && apexSkip == 0) is var verdict && verdict != Rcode.NoError)
            return FinishEmpty(message, limit, in query, verdict, transport);
        if (typeof(TRelay) != typeof(NoRelay) && _forwarded is not null)
            return AnswerFromAll(message, limit, transport, zones, zoneSlot, apexSkip, ref query, ref client, ref relay);
        return AnswerFromZones(message, limit, transport, zones, zoneSlot, apexSkip, ref query, ref client);
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private int AnswerFromZones(
        Span<byte> message, int limit, DnsTransport transport, ZoneSet zones, ZoneSlot? zoneSlot, int apexSkip, ref Query query,
        ref ClientAddress client)
    {
        Unsafe.SkipInit(out NameCompressor names);
        int reserved = OptOctets(in query.Edns, transport);
        int rotation = _options.RotateRRsets ? MessageHeader.Id(message) : 0;
        ResponseWriter writer = new(message, limit - reserved, in query, ref names, rotation);
        bool isStream = transport.IsReliable;
        Resolution resolution = new(zones, ref query, ref client, writer, isStream, _options);
        resolution.Resolve(zoneSlot, apexSkip);
        return FinishResolution(message, limit, transport, apexSkip, in query, in resolution);
    }

    private int FinishResolution(
        Span<byte> message, int limit, DnsTransport transport, int apexSkip, in Query query, in Resolution resolution)
    {
        ref readonly ResponseWriter written = ref resolution.Writer;
        if (resolution.IsTruncated && transport.IsReliable)
            // A stream has no larger transport to fall back to.
            return FinishEmpty(message, limit, in query, Rcode.ServFail, transport);
        MessageHeader.SetCount(message, 1, (ushort)written.Count(Section.Answer));
        MessageHeader.SetCount(message, 2, (ushort)written.Count(Section.Authority));
        Outcome outcome = new(resolution.Rcode, transport)
        {
            Flags = (ushort)((resolution.IsAuthoritative ? MessageHeader.AuthoritativeAnswer : 0)
                | (resolution.IsTruncated ? MessageHeader.Truncated : 0)),
            AdditionalCount = written.Count(Section.Additional),
            HasRecords = true,
            Error = resolution.Error,
            Zone = resolution.Zone,
            ApexLabels = query.Name.LabelCount - apexSkip,
        };
        return Finish(message, written.Position, limit, in query, in outcome);
    }

    /// <summary>Classes other than IN: CH tells about the server itself, nothing else is served.</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private int AnswerClass(Span<byte> message, int limit, DnsTransport transport, ref Query query)
    {
        if (query.Class != RRClass.CH || !_chaos.TryFind(in query.Name, query.Type, out byte[] rdata))
            return FinishEmpty(message, limit, in query, Rcode.Refused, transport);
        Unsafe.SkipInit(out NameCompressor names);
        ResponseWriter writer = new(message, limit - OptOctets(in query.Edns, transport), in query, ref names, 0);
        bool fits = writer.TryWriteRecord(
            Section.Answer, MessageHeader.LengthOctets, RRType.TXT, RRClass.CH, ttl: 0, rdata);
        MessageHeader.SetCount(message, 1, (ushort)(fits ? 1 : 0));
        MessageHeader.SetCount(message, 2, 0);
        ushort flags = (ushort)(MessageHeader.AuthoritativeAnswer | (fits ? 0 : MessageHeader.Truncated));
        Outcome outcome = new(Rcode.NoError, transport) { Flags = flags, HasRecords = true };
        return Finish(message, writer.Position, limit, in query, in outcome);
    }

    /// <summary>Types that are no data and cannot be asked for.</summary>
    private static Rcode Verdict(RRType type, bool isApex) => type switch
    {
        RRType.OPT or RRType.TSIG or RRType.TKEY => Rcode.FormErr,
        RRType.MAILA or RRType.MAILB => Rcode.NotImp,
        // A pseudo-type that only ever stands in a type bitmap (RFC 9824 §3.4).
        RRType.NXNAME => Rcode.FormErr,
        // Zones are not given out over datagrams (RFC 5936 §4.2), nor to anybody without permission; what is no zone of ours
        // cannot be (§2.2.1).
        RRType.AXFR or RRType.IXFR => isApex ? Rcode.Refused : Rcode.NotAuth,
        _ => Rcode.NoError,
    };

    private int ResponseLimit(int room, DnsTransport transport, in EdnsQuery edns)
    {
        if (transport.IsReliable) return Math.Min(room, ushort.MaxValue);
        int asked = edns.IsPresent ? Math.Max((int)edns.PayloadOctets, ResponderOptions.MinUdpPayload) : 512;
        return Math.Min(room, Math.Min(asked, _options.MaxUdpPayload));
    }

    /// <summary>Twelve octets for what could not be read as a query: ID, opcode and the code.</summary>
    private static int WriteHeaderOnly(Span<byte> message, ushort flags, Rcode rcode)
    {
        // RD means something for QUERY only; everything else of an unknown opcode is cleared.
        int kept = flags & (rcode == Rcode.FormErr
            ? MessageHeader.OpcodeMask | MessageHeader.RecursionDesired : MessageHeader.OpcodeMask);
        MessageHeader.SetFlags(message, (ushort)(MessageHeader.QueryResponse | kept | (ushort)rcode));
        message[4..MessageHeader.LengthOctets].Clear();
        return MessageHeader.LengthOctets;
    }

    /// <summary>
    /// No key is known, so none fits (RFC 8945 §5.2.1): NOTAUTH, TSIG error 17, empty MAC. Where names are so long that it does
    /// not fit beside the question, TC sends the client to a stream.
    /// </summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private int RefuseSignature(Span<byte> message, int limit, DnsTransport transport, ref Query query)
    {
        Span<byte> record = stackalloc byte[640];
        record = record[..TsigRecord.WriteUnknownKey(message, query.TsigAt, record)];
        if (query.QuestionEnd + OptOctets(in query.Edns, transport) + record.Length > limit)
            query.Edns.Asked &= EdnsAsked.Cookie;
        if (query.QuestionEnd + OptOctets(in query.Edns, transport) + record.Length > limit)
            return Finish(
                message, query.QuestionEnd, limit, in query,
                new Outcome(Rcode.NotAuth, transport) { Flags = MessageHeader.Truncated });
        int length = FinishEmpty(message, limit - record.Length, in query, Rcode.NotAuth, transport);
        record.CopyTo(message[length..]);
        MessageHeader.SetCount(message, 3, (ushort)(MessageHeader.Count(message, 3) + 1));
        return length + record.Length;
    }
}
