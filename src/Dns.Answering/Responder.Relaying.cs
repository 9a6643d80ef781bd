using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <content>Names that others are asked for.</content>
public sealed partial class Responder
{
    /// <summary>In place of the labels in front of a zone's name: the question's own name is asked of others.</summary>
    private const int Elsewhere = -1;

    /// <summary>Answers a query that waited.</summary>
    /// <param name="message">Room for the answer, at least 512 octets; what it holds is overwritten.</param>
    /// <param name="awaited">The query.</param>
    /// <param name="client">Who sent it.</param>
    /// <param name="relay">Has the answer that was waited for.</param>
    /// <returns>Length of the answer in octets; <see cref="AnswersLater"/> if the query waits once more.</returns>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public int RespondAwaited<TRelay>(
        Span<byte> message, scoped in AwaitedQuery awaited, ref ClientAddress client, ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        Unsafe.SkipInit(out Query query);
        awaited.Restore(message, ref query);
        ZoneSet zones = _zones.Current;
        ZoneSlot? zoneSlot = Resolution.FindZone(zones, in query.Name, query.Type, out int apexSkip);
        int length = Answer(message, awaited.Transport, zones, zoneSlot, apexSkip, ref query, ref client, ref relay);
        // It is not the caller's any more, who may have answered it meanwhile.
        if (length == AnswersLater) return length;
        // The query was counted when it came.
        Counters.Current.CountAnswer(message, length, awaited.Transport, query.IsRelayed, zoneSlot);
        return length;
    }

    /// <summary>The longest zone decides, whether served or forwarded; a served one wins a tie.</summary>
    private int AnswerFromAll<TRelay>(
        Span<byte> message, int limit, DnsTransport transport, ZoneSet zones, ZoneSlot? zoneSlot, int apexSkip,
        ref Query query, ref ClientAddress client, ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        int served = zoneSlot is null ? -1 : query.Name.LabelCount - apexSkip;
        // What stands at a zone's own name in the zone above belongs to that one (RFC 4035 §3.1.4.1).
        int skipped = query.Type == RRType.DS && query.Name.LabelCount > 0 ? 1 : 0;
        if (_forwarded!.ZoneLabels(in query.Name, skipped) > served)
            return AnswerFromOthers(message, limit, transport, ref query, ref client, ref relay);
        bool isFollowed = query.Offered != 0 && (query.Flags & MessageHeader.RecursionDesired) != 0;
        return isFollowed
            ? AnswerAcross(message, limit, transport, zones, zoneSlot, apexSkip, ref query, ref client, ref relay)
            : AnswerFromZones(message, limit, transport, zones, zoneSlot, apexSkip, ref query, ref client);
    }

    private int AnswerFromOthers<TRelay>(
        Span<byte> message, int limit, DnsTransport transport, ref Query query, ref ClientAddress client,
        ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        query.IsRelayed = true;
        if (query.Offered == 0) return Refuse(ExtendedErrorCode.Prohibited, message, limit, transport, in query);
        Question question = new(in query.Name, query.Type, query.Class, FlagsOf(in query));
        int room = limit - OptOctets(in query.Edns, transport);
        bool mayAsk = (query.Flags & MessageHeader.RecursionDesired) != 0;
        if (relay.TryCopy(question, mayAsk, message[query.QuestionEnd..room], out RelayedAnswer answer))
        {
            bool isFollowed = answer.LeadsOn && !answer.DoesNotFit && mayAsk;
            return isFollowed
                ? AnswerAcross(message, limit, transport, _zones.Current, null, Elsewhere, ref query, ref client, ref relay)
                : FinishRelayed(message, limit, transport, in query, in answer);
        }
        // Without RD only what is known already is told (RFC 1034 §4.3.1).
        if (!mayAsk) return Refuse(ExtendedErrorCode.NotAuthoritative, message, limit, transport, in query);
        AwaitedQuery awaited = AwaitedQuery.Of(message, in query, transport);
        if (relay.TryAwait(question, in awaited, ref client, out ExtendedErrorCode reason)) return AnswersLater;
        Outcome failure = new(Rcode.ServFail, transport) { Error = reason };
        return Finish(message, query.QuestionEnd, limit, in query, in failure);
    }

    private int Refuse(
        ExtendedErrorCode reason, Span<byte> message, int limit, DnsTransport transport, in Query query) =>
        Finish(message, query.QuestionEnd, limit, in query, new Outcome(Rcode.Refused, transport) { Error = reason });

    private int FinishRelayed(
        Span<byte> message, int limit, DnsTransport transport, in Query query, in RelayedAnswer answer)
    {
        if (answer.DoesNotFit && transport.IsReliable)
            return FinishEmpty(message, limit, in query, Rcode.ServFail, transport);
        // AD is for those that show they understand it (RFC 6840 §5.8).
        bool asksAuthenticity = query.Edns.DnssecOk || (query.Flags & MessageHeader.AuthenticData) != 0;
        MessageHeader.SetCount(message, 1, answer.AnswerCount);
        MessageHeader.SetCount(message, 2, answer.AuthorityCount);
        Outcome outcome = new(answer.Rcode, transport)
        {
            Flags = (ushort)((answer.AuthenticData && asksAuthenticity ? MessageHeader.AuthenticData : 0)
                | (answer.DoesNotFit ? MessageHeader.Truncated : 0)),
            AdditionalCount = answer.AdditionalCount,
            HasRecords = true,
            Error = answer.Error,
        };
        return Finish(message, query.QuestionEnd + answer.Octets, limit, in query, in outcome);
    }

    /// <summary>Answers from the zones served, and goes on with what others say where an alias or a cut leads out of them.</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private int AnswerAcross<TRelay>(
        Span<byte> message, int limit, DnsTransport transport, ZoneSet zones, ZoneSlot? zoneSlot, int apexSkip,
        ref Query query, ref ClientAddress client, ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        Unsafe.SkipInit(out NameCompressor names);
        Unsafe.SkipInit(out LookupName elsewhere);
        Span<ulong> visited = stackalloc ulong[Resolution.MaxVisited];
        int reserved = OptOctets(in query.Edns, transport);
        int rotation = _options.RotateRRsets ? MessageHeader.Id(message) : 0;
        ResponseWriter writer = new(message, limit - reserved, in query, ref names, rotation);
        Resolution resolution = new(
            zones, ref query, ref client, writer, transport.IsReliable, _options, _forwarded!, ref elsewhere,
            visited);
        if (apexSkip == Elsewhere) resolution.BeginElsewhere();
        else resolution.Resolve(zoneSlot, apexSkip);
        if (apexSkip != Elsewhere && resolution.IsWhollyElsewhere)
            return AnswerFromOthers(message, limit, transport, ref query, ref client, ref relay);
        while (resolution.ContinuesElsewhere)
        {
            Question question = new(in elsewhere, query.Type, query.Class, FlagsOf(in query));
            byte[] theirs = RelayBuffers.Message;
            if (relay.TryCopy(question, mayAsk: true, theirs.AsSpan(question.EndOffset), out RelayedAnswer answer))
            {
                RelayBuffers.WriteQuestion(theirs, question);
                resolution.Append(theirs, question, in answer);
                continue;
            }
            AwaitedQuery awaited = AwaitedQuery.Of(message, in query, transport);
            if (relay.TryAwait(question, in awaited, ref client, out ExtendedErrorCode reason)) return AnswersLater;
            resolution.Fail(reason);
        }
        return FinishResolution(message, limit, transport, apexSkip, in query, in resolution);
    }

    private static QuestionFlags FlagsOf(in Query query) =>
        (query.Edns.DnssecOk ? QuestionFlags.DnssecOk : 0)
        | ((query.Flags & MessageHeader.CheckingDisabled) != 0 ? QuestionFlags.CheckingDisabled : 0);
}
