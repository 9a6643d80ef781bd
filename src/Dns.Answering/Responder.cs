namespace Dns.Answering;

/// <summary>Makes the reply to a message: a function of its octets, origin, the time and the published zones.</summary>
/// <remarks>
/// Thread-safe. For a query it allocates nothing, takes no lock, reads no clock, writes no log and never throws. The
/// reply overwrites the query, which is parsed completely before.
/// </remarks>
public sealed partial class Responder
{
    /// <summary>Returned for a deferred query: its reply is sent later along its path.</summary>
    public const int ReplyDeferred = -1;

    /// <summary>Returned by a handler that leaves the message unchanged, to be answered as without it.</summary>
    public const int NotHandled = NotAnswered;

    private const int NotAnswered = -2;

    private readonly PublishedZones _zones;
    private readonly ResponderOptions _options;
    private readonly ChaosAnswers _chaos;
    private readonly byte[] _identity;
    private readonly bool _answersPlainly;
    private readonly IForwardedZones? _forwarded;

    /// <summary>Creates a responder for the zones published now and later.</summary>
    /// <param name="forwarded">The forwarded names; null = none.</param>
    public Responder(PublishedZones zones, ResponderOptions options, IForwardedZones? forwarded = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxUdpPayload, ResponderOptions.MinUdpPayload);
        _zones = zones;
        _options = options;
        _forwarded = forwarded;
        _answersPlainly = options.UseCachedOctets && !options.RotateRRsets;
        _identity = options.Identity is null ? [] : options.IdentityOctets;
        _chaos = new ChaosAnswers(options);
    }

    /// <summary>Counters of the answers so far.</summary>
    public AnswerCounters Counters { get; init; } = new();

    /// <summary>Handlers of opcodes other than QUERY, and of meta-types.</summary>
    public MessageHandlers Handlers { get; init; } = MessageHandlers.None;

    /// <summary>Receives exceptions of messages, so that the rest of a batch is answered; null = throws.</summary>
    public IExceptionSink? Exceptions { get; init; }

    /// <summary>The options.</summary>
    public ResponderOptions Options => _options;

    /// <summary>A responder with other options, the same zones and counters; use one for a whole message.</summary>
    public Responder With(ResponderOptions options) => new(_zones, options, _forwarded)
    {
        Counters = Counters,
        Handlers = Handlers,
        Exceptions = Exceptions,
    };

    /// <summary>A responder with own counters, no rate limit and no handlers, for the server's own queries.</summary>
    public Responder Apart() => new(_zones, _options with { RateLimiter = null }, _forwarded)
    {
        Counters = AnswerCounters.WithoutZones(),
    };

    /// <summary>Answers one message in place from the served zones alone.</summary>
    /// <param name="message">Starts with the query; at least 512 octets, all of which may be written.</param>
    /// <param name="queryOctets">Length of the query; more than the span's if the socket cut it off.</param>
    /// <param name="origin">Client, transport and time of receipt.</param>
    /// <param name="paths">The reply path, as slot 0; null if replies cannot be deferred.</param>
    /// <returns>Length of the reply in octets; 0 for none; <see cref="ReplyDeferred"/>.</returns>
    public int Respond(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths? paths = null)
    {
        NoSource none = default;
        return Respond(message, queryOctets, ref origin, paths, ref none);
    }

    /// <summary>Answers one message in place, from the served zones and another source.</summary>
    /// <inheritdoc cref="Respond(Span{byte}, int, ref QueryOrigin, IReplyPaths?)"/>
    public int Respond<TSource>(
        Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths? paths, ref TSource source)
        where TSource : IAnswerSource, allows ref struct =>
        Respond(message, queryOctets, ref origin, paths, ref source, default(NoTrace));

    /// <summary>Answers one message in place and traces the steps.</summary>
    /// <inheritdoc cref="Respond(Span{byte}, int, ref QueryOrigin, IReplyPaths?)"/>
    /// <param name="trace">Receives the steps.</param>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public int Respond<TSource, TTrace>(
        Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths? paths, ref TSource source,
        TTrace trace)
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
        context.Counts = Counters.Of(worker);
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
        context.ZoneSlot =
            ZoneChoice.Find(context.Zones, in context.Query.Name, context.Query.Type, out context.ApexSkip);
        return AnswerRead(ref context, ref source, trace);
    }

    /// <summary>Parses a query, or answers a message that is not one.</summary>
    /// <returns><see cref="NotAnswered"/> if the query was parsed; else the length of the reply.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Admit(scoped ref QueryContext context, int queryOctets)
    {
        const ushort notAQuery = MessageHeader.QueryResponse | MessageHeader.OpcodeMask;
        if (queryOctets < MessageHeader.LengthOctets) return 0;
        ref Query query = ref context.Query;
        if ((MessageHeader.Flags(context.Message) & notAQuery) != 0 || context.Client.Port == 0 ||
            queryOctets > context.Message.Length)
            return AdmitNoQuery(ref context, queryOctets);
        if (!query.TryRead(context.Message, queryOctets)) return AnswerUnreadable(ref context, queryOctets);
        if (query.IsSpecial && MetaTypes.Has(query.Type) && Handlers.Of(query.Type) is { } handler
            && Handle(handler, ref context, queryOctets) is var handled and not NotHandled) return handled;
        return query.Edns.Cookie.State == CookieState.None || TryVerifyCookie(ref context)
            ? NotAnswered : RefuseCookie(ref context);
    }

    /// <summary>Answers or drops a message that is not a valid query.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int AdmitNoQuery(scoped ref QueryContext context, int queryOctets)
    {
        context.Query.Edns = default;
        ushort flags = MessageHeader.Flags(context.Message);
        // Never reply to a reply, nor to port 0: two servers would reply to each other for ever (CVE-2024-2169).
        if ((flags & MessageHeader.QueryResponse) != 0 || context.Client.Port == 0 || IsOfGenerator(ref context))
            return 0;
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
        if (length != NotHandled)
            context.Query.Rcode = (Rcode)(MessageHeader.Flags(context.Message) & MessageHeader.RcodeMask);
        return length;
    }

    /// <summary>Counts a reply made while parsing, unless the rate limit drops it.</summary>
    private int Pass(scoped ref QueryContext context, int length)
    {
        length = Limit(ref context, length, isRead: false);
        context.Counts.CountUnread(ref context, length);
        return length;
    }

    /// <summary>Answers a parsed query whose zone was found; applies the rate limit and counts the answer.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int AnswerRead<TSource, TTrace>(scoped ref QueryContext context, ref TSource source, TTrace trace)
        where TSource : IAnswerSource, allows ref struct
        where TTrace : struct, IResolutionTrace
    {
        int length = Answer(ref context, ref source, trace);
        if (context.Query.IsSpecial && context.Chain is not null) length = Sign(ref context, length);
        length = Limit(ref context, length, isRead: true);
        context.Counts.Count(ref context, length);
        return length;
    }

    /// <summary>Answers a parsed query whose zone was found.</summary>
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
        // A signed query is never forwarded: its TSIG state ends with this call.
        if (query.IsSpecial && context.Chain is not null) query.Offered = 0;
        if (hasSource) return AnswerFromAll(ref context, ref source, trace);
        return !TTrace.IsOn && TryAnswerPlainly(ref context, out int plain)
            ? plain : AnswerFromZones(ref context, trace);
    }

    /// <summary>
    /// Answers the most common query: the name exists, has the type, and no record names a host. Takes a third of the
    /// instructions of the general path, which answers everything else, including what does not fit.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryAnswerPlainly(scoped ref QueryContext context, out int length)
    {
        length = 0;
        ref Query query = ref context.Query;
        if (!_answersPlainly || context.ZoneSlot is not { AllowQuery: null, Zone: { } zone }) return false;
        if (!zone.TryFind(in query.Name, in context.Hint, out ZoneNode node)
            || !node.AnswersItself || zone.HasUnmarkedCuts)
            return false;
        if (query.Type is RRType.ANY or RRType.RRSIG) return false;
        if (Rdata.HasCompressibleNames(query.Type) || !node.TryFind(query.Type, out RRset rrset) || rrset.NamesHosts)
            return false;
        int limit = context.Limit - OptOctets(ref context);
        int end = ResponseWriter.WritePlain(
            context.Message, query.QuestionEnd, limit, MessageHeader.LengthOctets, rrset, rrset.Ttl);
        if (end < 0) return false;
        context.Zone = zone;
        RecordCounts counts = default;
        counts.Answer = rrset.Count;
        if (query.Edns.DnssecOk && zone.IsSigned &&
            !TrySignPlainly(ref context, node, rrset, limit, ref end, ref counts)) return false;
        length = Finish(ref context, end, Rcode.NoError, MessageHeader.AuthoritativeAnswer, counts);
        return true;
    }

    /// <summary>Writes the signatures of the answer's RRset. False if they do not fit.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TrySignPlainly(
        scoped ref QueryContext context, scoped ZoneNode node, scoped RRset rrset, int limit, ref int end,
        ref RecordCounts counts)
    {
        if (!node.TryFindSignatures(rrset.Type, out RRset signatures)) return context.Zone!.OnlineSigner is null;
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
        Resolution<TTrace> resolution =
            new(ref context, ref Unscoped.Of(in names), OptOctets(ref context), _options, trace);
        resolution.Resolve(context.ZoneSlot, context.ApexSkip);
        return FinishResolution(ref context, ref resolution);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int FinishResolution<TTrace>(scoped ref QueryContext context, scoped ref Resolution<TTrace> resolution)
        where TTrace : struct, IResolutionTrace
    {
        // There is no larger transport to fall back to.
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
        int requested = edns.IsPresent
            ? Math.Max((int)edns.PayloadOctets, ResponderOptions.MinUdpPayload) : ResponderOptions.MinUdpPayload;
        return Math.Min(room, Math.Min(requested, _options.MaxUdpPayload));
    }

    /// <summary>
    /// Whether a datagram comes from echo, daytime, qotd, chargen or time, which answer whatever they get, with what is
    /// no query (CVE-2024-2169).
    /// </summary>
    private static bool IsOfGenerator(scoped ref QueryContext context) =>
        context.Client.Port is 7 or 13 or 17 or 19 or 37 && !context.Transport.IsReliable;

    private static int WriteHeaderOnly(scoped ref QueryContext context, Rcode rcode)
    {
        context.Query.Rcode = rcode;
        return HeaderReply.Write(context.Message, MessageHeader.Flags(context.Message), rcode);
    }
}
