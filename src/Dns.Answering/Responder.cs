namespace Dns.Answering;

/// <summary>Makes the reply to a message: a function of its octets, origin, the time and the published zones.</summary>
/// <remarks>
/// Thread-safe. For a query it allocates nothing, takes no lock, reads no clock, writes no log and never throws. The
/// reply overwrites the query, which is parsed completely before.
/// </remarks>
public sealed partial class Responder
{
    /// <summary>The label in metrics of answering a message of a batch.</summary>
    public const string LoopName = "responder";

    private readonly ViewSet _views;
    private readonly bool _hasViews;
    private readonly ResponderOptions _options;
    private readonly ChaosAnswers _chaos;
    private readonly bool _answersPlainly;

    /// <summary>Creates a responder with one view, for the zones published now and later.</summary>
    /// <param name="forwarded">The forwarded names; null = none.</param>
    public Responder(PublishedZones zones, ResponderOptions options, IForwardedZones? forwarded = null)
        : this(new ViewSet(new View(View.DefaultName, View.DefaultNumber, zones, forwarded)), options)
    {
    }

    /// <summary>Creates a responder.</summary>
    public Responder(ViewSet views, ResponderOptions options)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxUdpPayload, ResponderOptions.MinUdpPayload);
        _views = views;
        _hasViews = views.HasSeveral;
        _options = options;
        _answersPlainly = options.UseCachedOctets && !options.RotateRRsets;
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

    /// <summary>The views, one of which answers each query.</summary>
    public ViewSet Views => _views;

    /// <summary>A responder with other options, the same views and counters; use one for a whole message.</summary>
    /// <param name="views">Other views; null = the same.</param>
    public Responder With(ResponderOptions options, ViewSet? views = null) => new(views ?? _views, options)
    {
        Counters = Counters,
        Handlers = Handlers,
        Exceptions = Exceptions,
    };

    /// <summary>A responder with own counters, no rate limit and no handlers, for the server's own queries.</summary>
    /// <param name="view">The view of all queries; null = it is chosen for each as for clients.</param>
    public Responder Apart(View? view = null) =>
        new(view is null ? _views : new ViewSet(view), _options with { RateLimiter = null })
        {
            Counters = AnswerCounters.WithoutZones(),
        };

    /// <summary>Answers one message in place from the served zones alone.</summary>
    /// <param name="message">Starts with the query; at least 512 octets, all of which may be written.</param>
    /// <param name="queryOctets">Length of the query; more than the span's if the socket cut it off.</param>
    /// <param name="origin">Client, transport and time of receipt.</param>
    /// <param name="paths">The reply path, as slot 0; null if replies cannot be deferred.</param>
    /// <returns>The reply, none, or <see cref="ReplyOutcome.Deferred"/>.</returns>
    public ReplyOutcome Respond(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths? paths = null)
    {
        NoSource none = default;
        return Respond(message, queryOctets, ref origin, paths, ref none);
    }

    /// <summary>Answers one message in place, from the served zones and another source.</summary>
    /// <inheritdoc cref="Respond(Span{byte}, int, ref QueryOrigin, IReplyPaths?)"/>
    public ReplyOutcome Respond<TSource>(
        Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths? paths, ref TSource source)
        where TSource : IAnswerSource, allows ref struct =>
        Respond(message, queryOctets, ref origin, paths, ref source, default(NoSteps));

    /// <summary>Answers one message in place, with the steps of features.</summary>
    /// <inheritdoc cref="Respond(Span{byte}, int, ref QueryOrigin, IReplyPaths?)"/>
    /// <param name="steps">The steps.</param>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public ReplyOutcome Respond<TSource, TSteps>(
        Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths? paths, ref TSource source,
        TSteps steps)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out Query query);
        Worker worker = Worker.OfThread;
        QueryContext context = default;
        context.Message = message;
        context.Query = ref Unscoped.Of(in query);
        context.Client = ref Unscoped.Of(in origin.Client);
        context.Transport = origin.Transport;
        context.Now = origin.Now;
        context.Paths = paths;
        EnterView(ref context, _views.Default);
        context.Options = _options;
        context.Worker = worker;
        context.Counts = Counters.Of(worker);
        return RespondToOne(ref context, queryOctets, ref source, steps);
    }

    private ReplyOutcome RespondToOne<TSource, TSteps>(
        scoped ref QueryContext context, int queryOctets, ref TSource source, TSteps steps)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        source.BeginQuery();
        ReplyOutcome admitted = Admit(ref context, queryOctets);
        if (admitted.IsHandled) return Pass(ref context, admitted);
        if (!context.Transport.IsReliable) _options.RateLimiter?.Prefetch(context.Query.Name.Hash, ref context.Client);
        FindZone(ref context);
        return AnswerRead(ref context, ref source, steps);
    }

    /// <summary>Parses a query, or answers a message that is not one.</summary>
    /// <returns><see cref="ReplyOutcome.NotHandled"/> if the query was parsed.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReplyOutcome Admit(scoped ref QueryContext context, int queryOctets)
    {
        const ushort notAQuery = MessageHeader.QueryResponse | MessageHeader.OpcodeMask;
        if (queryOctets < MessageHeader.LengthOctets) return ReplyOutcome.None;
        ref Query query = ref context.Query;
        if ((MessageHeader.Flags(context.Message) & notAQuery) != 0 || context.Client.Port == 0 ||
            queryOctets > context.Message.Length)
            return AdmitNoQuery(ref context, queryOctets);
        if (!query.TryRead(context.Message, queryOctets))
            return UnhandledMessages.AnswerUnreadable(ref context, queryOctets);
        if (query.IsSpecial && MetaTypes.Has(query.Type) && Handlers.Of(query.Type) is { } handler
            && Handle(handler, ref context, queryOctets) is { IsHandled: true } handled) return handled;
        return query.Edns.Cookie.State == CookieState.None || QueryCookie.TryVerify(ref context)
            ? ReplyOutcome.NotHandled : QueryCookie.Refuse(ref context);
    }

    /// <summary>Answers or drops a message that is not a valid query.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReplyOutcome AdmitNoQuery(scoped ref QueryContext context, int queryOctets)
    {
        context.Query.Edns = default;
        ushort flags = MessageHeader.Flags(context.Message);
        // Never reply to a reply, nor to port 0: two servers would reply to each other for ever (CVE-2024-2169).
        if ((flags & MessageHeader.QueryResponse) != 0 || context.Client.Port == 0
            || UnhandledMessages.IsOfGenerator(ref context))
            return ReplyOutcome.None;
        if (MessageHeader.OpcodeOf(flags) is var opcode && opcode != Opcode.Query)
            return queryOctets <= context.Message.Length && Handlers.Of(opcode) is { } handler
                && Handle(handler, ref context, queryOctets) is { IsHandled: true } reply
                ? reply : UnhandledMessages.RefuseOpcode(ref context, queryOctets);
        return UnhandledMessages.WriteHeader(ref context, Rcode.FormErr);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReplyOutcome Handle(IMessageHandler handler, scoped ref QueryContext context, int queryOctets)
    {
        if (_hasViews) ChooseView(ref context);
        ReplyOutcome reply = handler.Respond(new HandledMessage(ref context, queryOctets));
        if (reply.IsHandled)
            context.Query.Rcode = (Rcode)(MessageHeader.Flags(context.Message) & MessageHeader.RcodeMask);
        return reply;
    }

    /// <summary>Counts a reply made while parsing, unless the rate limit drops it.</summary>
    private ReplyOutcome Pass(scoped ref QueryContext context, ReplyOutcome reply)
    {
        reply = ReplyLimit.Apply(ref context, reply, isRead: false);
        context.Counts.CountUnread(ref context, reply);
        return reply;
    }

    /// <summary>Answers a parsed query whose zone was found; applies the rate limit and counts the answer.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReplyOutcome AnswerRead<TSource, TSteps>(scoped ref QueryContext context, ref TSource source, TSteps steps)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        ReplyOutcome reply = Answer(ref context, ref source, steps);
        if (context.Query.IsSpecial && context.Chain is not null) reply = SignedQueries.Sign(ref context, reply);
        reply = ReplyLimit.Apply(ref context, reply, isRead: true);
        context.Counts.Count(ref context, reply);
        if (_hasViews) context.Counts.CountView(context.View.Number);
        return reply;
    }
}
