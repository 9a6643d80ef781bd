using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <summary>
/// What the reply to a message is: a function of its octets, where and when it came in, and the zones published at this moment.
/// </summary>
/// <remarks>
/// Used by all threads at once. Allocates nothing for a query, takes no lock, reads no clock, writes no log, never throws. The
/// reply is written over the query; everything needed of the query is read before.
/// </remarks>
public sealed partial class Responder
{
    /// <summary>Returned for a query that was deferred: its reply comes later, along its path.</summary>
    public const int AnswersLater = -1;

    /// <summary>
    /// What a handler returns of a message that it has left as it was: it is answered as if there were no handler.
    /// </summary>
    public const int NotHandled = NotAnswered;

    private const int NotAnswered = -2;

    private readonly PublishedZones _zones;
    private readonly ResponderOptions _options;
    private readonly ChaosAnswers _chaos;
    private readonly byte[] _identity;
    private readonly bool _answersPlainly;
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
        _answersPlainly = options.UseReadyOctets && !options.RotateRRsets;
        _identity = options.Identity is null ? [] : options.IdentityOctets;
        _chaos = new ChaosAnswers(options);
    }

    /// <summary>What was answered so far.</summary>
    public AnswerCounters Counters { get; init; } = new();

    /// <summary>What answers other opcodes than QUERY, and types that are no data.</summary>
    public MessageHandlers Handlers { get; init; } = MessageHandlers.None;

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
        Handlers = Handlers,
        Exceptions = Exceptions,
    };

    /// <summary>
    /// A responder that answers alike, counts for itself, limits nothing and handles nothing: for questions that are not clients'.
    /// </summary>
    public Responder Apart() => new(_zones, _options with { RateLimiter = null }, _forwarded)
    {
        Counters = AnswerCounters.WithoutZones(),
    };

    /// <summary>Answers one message in place from the zones served alone.</summary>
    /// <param name="message">Starts with the query; the rest is room. At least 512 octets.</param>
    /// <param name="queryOctets">Length of the query; above the room's length if it was cut on receipt.</param>
    /// <param name="origin">Who sent it, how and when.</param>
    /// <param name="paths">The way back, as slot 0; null where no reply can come later.</param>
    /// <returns>Length of the reply in octets; 0 if there is to be none; <see cref="AnswersLater"/>.</returns>
    public int Respond(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths? paths = null)
    {
        NoSource none = default;
        return Respond(message, queryOctets, ref origin, paths, ref none);
    }

    /// <summary>Answers one message in place, from the zones served and from another source.</summary>
    /// <param name="message">Starts with the query; the rest is room. At least 512 octets.</param>
    /// <param name="queryOctets">Length of the query; above the room's length if it was cut on receipt.</param>
    /// <param name="origin">Who sent it, how and when.</param>
    /// <param name="paths">The way back, as slot 0; null where no reply can come later.</param>
    /// <param name="source">The other source.</param>
    /// <returns>Length of the reply in octets; 0 if there is to be none; <see cref="AnswersLater"/>.</returns>
    public int Respond<TSource>(
        Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths? paths, ref TSource source)
        where TSource : IAnswerSource, allows ref struct =>
        Respond(message, queryOctets, ref origin, paths, ref source, default(NoTrace));

    /// <summary>Answers one message in place, and shows how.</summary>
    /// <param name="message">Starts with the query; the rest is room. At least 512 octets.</param>
    /// <param name="queryOctets">Length of the query; above the room's length if it was cut on receipt.</param>
    /// <param name="origin">Who sent it, how and when.</param>
    /// <param name="paths">The way back, as slot 0; null where no reply can come later.</param>
    /// <param name="source">The other source.</param>
    /// <param name="trace">Sees the steps.</param>
    /// <returns>Length of the reply in octets; 0 if there is to be none; <see cref="AnswersLater"/>.</returns>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public int Respond<TSource, TTrace>(
        Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths? paths, ref TSource source, TTrace trace)
        where TSource : IAnswerSource, allows ref struct
        where TTrace : struct, IResolutionTrace
    {
        Unsafe.SkipInit(out Query query);
        Worker worker = Worker.OfThread;
        QueryContext context = default;
        context.Message = message;
        context.Query = ref Unscoped.Of(in query);
        context.Client = ref Unscoped.Of(in origin.Client);
        context.Transport = origin.Transport;
        context.Now = origin.Now;
        context.Zones = _zones.Current;
        context.Paths = paths;
        context.Worker = worker;
        context.Tally = Counters.Of(worker);
        return RespondToOne(ref context, queryOctets, ref source, trace);
    }

    private int RespondToOne<TSource, TTrace>(
        scoped ref QueryContext context, int queryOctets, ref TSource source, TTrace trace)
        where TSource : IAnswerSource, allows ref struct
        where TTrace : struct, IResolutionTrace
    {
        source.BeginQuery();
        int length = Admit(ref context, queryOctets);
        if (length != NotAnswered) return Pass(ref context, length);
        if (!context.Transport.IsReliable) _options.RateLimiter?.Prefetch(context.Query.Name.Hash, ref context.Client);
        context.ZoneSlot = ZoneChoice.Find(context.Zones, in context.Query.Name, context.Query.Type, out context.ApexSkip);
        return AnswerRead(ref context, ref source, trace);
    }

    /// <summary>Reads a query, or ends what is none.</summary>
    /// <returns><see cref="NotAnswered"/> if the query was read; else the length of what goes back.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Admit(scoped ref QueryContext context, int queryOctets)
    {
        const ushort notAQuery = MessageHeader.QueryResponse | MessageHeader.OpcodeMask;
        if (queryOctets < MessageHeader.LengthOctets) return 0;
        ref Query query = ref context.Query;
        if ((MessageHeader.Flags(context.Message) & notAQuery) != 0 || context.Client.Port == 0 || queryOctets > context.Message.Length)
            return AdmitNoQuery(ref context, queryOctets);
        if (!query.TryRead(context.Message, queryOctets)) return AnswerUnreadable(ref context, queryOctets);
        if (query.IsSpecial && MetaTypes.Has(query.Type) && Handlers.Of(query.Type) is { } handler
            && Handle(handler, ref context, queryOctets) is var handled and not NotHandled) return handled;
        return query.Edns.Cookie.State == CookieState.None || TryExchangeCookie(ref context) ? NotAnswered : RefuseCookie(ref context);
    }

    /// <summary>Ends what is no query.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int AdmitNoQuery(scoped ref QueryContext context, int queryOctets)
    {
        context.Query.Edns = default;
        ushort flags = MessageHeader.Flags(context.Message);
        // Never answer an answer, nor what no client can have sent: two servers would talk for ever (CVE-2024-2169).
        if ((flags & MessageHeader.QueryResponse) != 0 || context.Client.Port == 0) return 0;
        if (MessageHeader.OpcodeOf(flags) is var opcode && opcode != Opcode.Query)
            return queryOctets <= context.Message.Length && Handlers.Of(opcode) is { } handler
                && Handle(handler, ref context, queryOctets) is var length and not NotHandled
                ? length : RefuseOpcode(ref context, queryOctets);
        return WriteHeaderOnly(ref context, Rcode.FormErr);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Handle(IMessageHandler handler, scoped ref QueryContext context, int queryOctets)
    {
        int length = handler.Respond(new HandledMessage(ref context, queryOctets));
        if (length != NotHandled) context.Query.Rcode = (Rcode)(MessageHeader.Flags(context.Message) & MessageHeader.RcodeMask);
        return length;
    }

    /// <summary>Counts what was answered when it was read, unless the limit drops it.</summary>
    private int Pass(scoped ref QueryContext context, int length)
    {
        length = Limit(ref context, length, isRead: false);
        context.Tally.CountUnread(ref context, length);
        return length;
    }

    /// <summary>Answers a query that was read and whose zone was looked for, limits and counts the answer.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int AnswerRead<TSource, TTrace>(scoped ref QueryContext context, ref TSource source, TTrace trace)
        where TSource : IAnswerSource, allows ref struct
        where TTrace : struct, IResolutionTrace
    {
        int length = Answer(ref context, ref source, trace);
        if (context.Query.IsSpecial && context.Chain is not null) length = Sign(ref context, length);
        length = Limit(ref context, length, isRead: true);
        context.Tally.Count(ref context, length);
        return length;
    }

    /// <summary>Answers a query that was read and whose zone was looked for.</summary>
    private int Answer<TSource, TTrace>(scoped ref QueryContext context, ref TSource source, TTrace trace)
        where TSource : IAnswerSource, allows ref struct
        where TTrace : struct, IResolutionTrace
    {
        ref Query query = ref context.Query;
        context.Limit = ResponseLimit(ref context);
        context.Zone = null;
        context.Error = null;
        bool hasSource = typeof(TSource) != typeof(NoSource) && _forwarded is not null;
        if (hasSource && _forwarded!.MayRecurse(ref context.Client)) query.Offered = MessageHeader.RecursionAvailable;
        if (query.IsSpecial && AnswerSpecial(ref context, trace) is var length and not NotAnswered) return length;
        // Others are not asked for what is signed for us: the chain ends with this call.
        if (query.IsSpecial && context.Chain is not null) query.Offered = 0;
        if (hasSource) return AnswerFromAll(ref context, ref source, trace);
        return !TTrace.IsOn && TryAnswerPlainly(ref context, out int plain) ? plain : AnswerFromZones(ref context, trace);
    }

    /// <summary>
    /// Answers what most queries ask for: a name that exists has the type, and no record of it names a host. It saves two thirds of
    /// the instructions that the same answer takes below, and leaves everything else, and what does not fit, to that.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryAnswerPlainly(scoped ref QueryContext context, out int length)
    {
        length = 0;
        ref Query query = ref context.Query;
        if (!_answersPlainly || context.ZoneSlot is not { AllowQuery: null, Zone: { } zone }) return false;
        if (!zone.TryFind(in query.Name, 0, out ZoneNode node) || !node.AnswersItself || zone.HasUnmarkedCuts) return false;
        if (query.Type is RRType.ANY or RRType.RRSIG) return false;
        if (Rdata.HasCompressibleNames(query.Type) || !node.TryFind(query.Type, out RRset rrset) || rrset.NamesHosts) return false;
        int limit = context.Limit - OptOctets(ref context);
        int end = ResponseWriter.WritePlain(
            context.Message, query.QuestionEnd, limit, MessageHeader.LengthOctets, rrset, rrset.Ttl);
        if (end < 0) return false;
        context.Zone = zone;
        RecordCounts counts = default;
        counts.Answer = rrset.Count;
        if (query.Edns.DnssecOk && zone.IsSigned && !TrySignPlainly(ref context, node, rrset, limit, ref end, ref counts)) return false;
        length = Finish(ref context, end, Rcode.NoError, MessageHeader.AuthoritativeAnswer, counts);
        return true;
    }

    /// <summary>Writes the signatures behind an RRset that answers. False if they do not fit.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TrySignPlainly(
        scoped ref QueryContext context, scoped ZoneNode node, scoped RRset rrset, int limit, ref int end, ref RecordCounts counts)
    {
        if (!node.TryFindSignatures(rrset.Type, out RRset signatures)) return true;
        end = ResponseWriter.WritePlain(
            context.Message, end, limit, MessageHeader.LengthOctets, signatures, Math.Min(rrset.Ttl, signatures.Ttl));
        counts.Answer += signatures.Count;
        return end >= 0;
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private int AnswerFromZones<TTrace>(scoped ref QueryContext context, TTrace trace)
        where TTrace : struct, IResolutionTrace
    {
        Unsafe.SkipInit(out NameCompressor names);
        Resolution<TTrace> resolution = new(ref context, ref Unscoped.Of(in names), OptOctets(ref context), _options, trace);
        resolution.Resolve(context.ZoneSlot, context.ApexSkip);
        return FinishResolution(ref context, ref resolution);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int FinishResolution<TTrace>(scoped ref QueryContext context, scoped ref Resolution<TTrace> resolution)
        where TTrace : struct, IResolutionTrace
    {
        // A reliable transport has no larger one to fall back to.
        if (resolution.IsTruncated && context.Transport.IsReliable) return FinishEmpty(ref context, Rcode.ServFail);
        context.Zone = resolution.Zone;
        context.Error = resolution.Error;
        int flags = (resolution.IsAuthoritative ? MessageHeader.AuthoritativeAnswer : 0)
            | (resolution.IsTruncated ? MessageHeader.Truncated : 0);
        return Finish(ref context, resolution.Writer.Position, resolution.Rcode, flags, resolution.Writer.Counts);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int ResponseLimit(scoped ref QueryContext context)
    {
        int room = context.Message.Length;
        if (context.Transport.IsReliable) return Math.Min(room, ushort.MaxValue);
        ref EdnsQuery edns = ref context.Query.Edns;
        int asked = edns.IsPresent ? Math.Max((int)edns.PayloadOctets, ResponderOptions.MinUdpPayload) : ResponderOptions.MinUdpPayload;
        return Math.Min(room, Math.Min(asked, _options.MaxUdpPayload));
    }

    private static int WriteHeaderOnly(scoped ref QueryContext context, Rcode rcode)
    {
        context.Query.Rcode = rcode;
        return HeaderReply.Write(context.Message, MessageHeader.Flags(context.Message), rcode);
    }
}
