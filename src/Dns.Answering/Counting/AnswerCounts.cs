namespace Dns.Answering.Counting;

/// <summary>Counts of the answers of one thread, or the sum over all threads. Monotonic.</summary>
public sealed class AnswerCounts
{
    /// <summary>RCODEs below this have a counter each; higher ones are TSIG errors, not sent as RCODE.</summary>
    public const int Codes = 24;

    /// <summary>Types below this number have a counter each, and so have ANY and CAA.</summary>
    private const int LowTypes = 66;
    private const int AnyIndex = LowTypes, CaaIndex = LowTypes + 1, OtherIndex = LowTypes + 2,
        TypeIndices = LowTypes + 3;
    private const int Kinds = (int)AnswerKind.Later + 1;
    private const int Transports = DnsTransport.Kinds;

    private const int TypesAt = Transports * Codes, KindsAt = TypesAt + TypeIndices, RelayedAt = KindsAt + Kinds;
    private const int TruncatedAt = RelayedAt + 1, CookiesAt = TruncatedAt + 1;
    private const int OctetsAt = CookiesAt + (int)CookieState.Valid + 1, LengthsAt = OctetsAt + Transports;
    private const int ClientsAt = LengthsAt + Transports * AnswerLengths.Count;
    private const int Size = ClientsAt + (int)ClientEdns.DnssecOk * 2 + 2;

    // Two cache lines of padding at either end prevent false sharing between threads.
    private const int Padding = 16;

    private readonly long[] _counts = new long[Padding + Size + Padding];
    private readonly ZoneCounts? _zones;
    private long[] _views = [];

    internal AnswerCounts(ZoneCounts? zones = null) => _zones = zones;

    /// <summary>Parsed queries.</summary>
    public long ParsedQueries
    {
        get
        {
            long sum = 0;
            for (CookieState state = CookieState.None; state <= CookieState.Valid; state++) sum += Of(state);
            return sum;
        }
    }

    /// <summary>Parsed queries in the view of a number; counted only where there are several views.</summary>
    public long QueriesInView(int number) => number < _views.Length ? Volatile.Read(ref _views[number]) : 0;

    /// <summary>Answers by transport and RCODE.</summary>
    public long Answers(DnsTransport transport, Rcode rcode) => Read((int)transport.Kind * Codes + (int)rcode);

    /// <summary>Answers by RCODE, over all transports.</summary>
    public long Answers(Rcode rcode)
    {
        long sum = 0;
        foreach (DnsTransport transport in DnsTransport.All) sum += Answers(transport, rcode);
        return sum;
    }

    /// <summary>Parsed queries by type; type 0 stands for all types without a counter of their own.</summary>
    public long Queries(RRType type) => Read(TypesAt + IndexOf(type));

    /// <summary>Queries by outcome.</summary>
    public long Of(AnswerKind kind) => Read(KindsAt + (int)kind);

    /// <summary>Answers relayed from other servers or their cached answers.</summary>
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

    /// <summary>Answers of a transport by length, in the classes of <see cref="AnswerLengths"/>.</summary>
    public long[] Lengths(DnsTransport transport)
    {
        long[] lengths = new long[AnswerLengths.Count];
        for (int i = 0; i < lengths.Length; i++)
            lengths[i] = Read(LengthsAt + (int)transport.Kind * AnswerLengths.Count + i);
        return lengths;
    }

    /// <summary>Messages received, by address family and EDNS of the query.</summary>
    public long Of(bool isIPv4, ClientEdns edns) => Read(IndexOf(isIPv4, edns));

    /// <summary>Queries by cookie state.</summary>
    public long Of(CookieState state) => Read(CookiesAt + (int)state);

    /// <summary>Whether a type has a counter of its own.</summary>
    public static bool IsCountedAlone(RRType type) => IndexOf(type) != OtherIndex && type != 0;

    /// <summary>Counts a parsed query and its answer.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void Count(scoped ref QueryContext context, ReplyOutcome reply)
    {
        ref Query query = ref context.Query;
        // Indexes of ClientEdns: none, plain, and DO, which implies OPT.
        int edns = (query.Edns.IsPresent ? 1 : 0) + (query.Edns.DnssecOk ? 1 : 0);
        long[] counts = _counts;
        counts[Padding + TypesAt + IndexOf(query.Type)]++;
        counts[Padding + CookiesAt + (int)query.Edns.Cookie.State]++;
        counts[Padding + ClientsAt + edns * 2 + (context.Client.IsIPv4 ? 0 : 1)]++;
        CountAnswer(ref context, reply);
    }

    /// <summary>Counts a query of a view. Allocates once for a thread and a higher number.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void CountView(int number)
    {
        if (number >= _views.Length) Array.Resize(ref _views, number + 1);
        _views[number]++;
    }

    /// <summary>Counts a message that could not be parsed as a query, and its answer.</summary>
    internal void CountUnread(scoped ref QueryContext context, ReplyOutcome reply)
    {
        Add(IndexOf(context.Client.IsIPv4, ClientEdns.None), 1);
        context.Query.IsRelayed = context.Query.IsNameError = false;
        context.ZoneSlot = null;
        CountAnswer(ref context, reply);
    }

    /// <summary>Counts an answer, also for the zone of the question's name.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void CountAnswer(scoped ref QueryContext context, ReplyOutcome reply)
    {
        ref Query query = ref context.Query;
        if (!reply.IsReply)
        {
            CountNothing(ref context, reply.IsDeferred);
            return;
        }
        int length = reply.Octets;
        // Flags, QDCOUNT and ANCOUNT.
        ulong header = BinaryPrimitives.ReadUInt64BigEndian(context.Message);
        uint flags = (uint)(header >> 32);
        int transport = (int)context.Transport.Kind, rcode = (int)query.Rcode;
        bool hasAnswers = (ushort)header != 0;
        AnswerKind kind = rcode == 0 && hasAnswers ? AnswerKind.Positive : KindOfOther(context.Message, in query);
        long[] counts = _counts;
        counts[Padding + transport * Codes + rcode]++;
        counts[Padding + KindsAt + (int)kind]++;
        counts[Padding + OctetsAt + transport] += length;
        counts[Padding + LengthsAt + transport * AnswerLengths.Count + AnswerLengths.Of(length)]++;
        bool isRelayed = query.IsRelayed;
        if (isRelayed) counts[Padding + RelayedAt]++;
        if ((flags & MessageHeader.Truncated) != 0) counts[Padding + TruncatedAt]++;
        _zones?.Count(context.ZoneSlot, isRelayed, rcode);
    }

    private void CountNothing(scoped ref QueryContext context, bool isDeferred)
    {
        Add(KindsAt + (int)(isDeferred ? AnswerKind.Later : AnswerKind.Silence), 1);
        // A deferred answer is counted for its zone when it is sent.
        if (!isDeferred) _zones?.CountUnanswered(context.ZoneSlot, context.Query.IsRelayed);
    }

    internal void Count(CookieState state) => Add(CookiesAt + (int)state, 1);

    internal ZoneCounts? Zones => _zones;

    /// <summary>Adds other counters to these, without zones.</summary>
    internal void Add(AnswerCounts other)
    {
        for (int i = 0; i < Size; i++) Add(i, other.Read(i));
        long[] views = other._views;
        if (views.Length > _views.Length) Array.Resize(ref _views, views.Length);
        for (int i = 0; i < views.Length; i++) _views[i] += Volatile.Read(ref views[i]);
    }

    /// <summary>The kind of an answer, from its octets in the message and the RCODE in the query.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static AnswerKind KindOf(scoped ref QueryContext context)
    {
        Rcode rcode = context.Query.Rcode;
        return rcode == Rcode.NoError && MessageHeader.Count(context.Message, 1) > 0 ? AnswerKind.Positive
            : KindOfOther(context.Message, in context.Query);
    }

    private static AnswerKind KindOfOther(ReadOnlySpan<byte> message, ref readonly Query query) => query.Rcode switch
    {
        Rcode.NoError when (MessageHeader.Flags(message) & MessageHeader.Truncated) != 0 => AnswerKind.Positive,
        Rcode.NoError when query.IsNameError => AnswerKind.NameError,
        Rcode.NoError when query.IsRelayed || (MessageHeader.Flags(message) & MessageHeader.AuthoritativeAnswer) != 0 =>
            AnswerKind.NoData,
        Rcode.NoError => AnswerKind.Referral,
        Rcode.NXDomain => AnswerKind.NameError,
        Rcode.YXDomain => AnswerKind.Positive,
        Rcode.Refused or Rcode.NotAuth => AnswerKind.Refused,
        Rcode.ServFail => AnswerKind.Failure,
        _ => AnswerKind.Malformed,
    };

    private static int IndexOf(bool isIPv4, ClientEdns edns) => ClientsAt + (int)edns * 2 + (isIPv4 ? 0 : 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int IndexOf(RRType type) => (uint)type - 1 < LowTypes - 1 ? (int)type : IndexOfHigh(type);

    private static int IndexOfHigh(RRType type) => (int)type switch
    {
        (int)RRType.ANY => AnyIndex,
        (int)RRType.CAA => CaaIndex,
        _ => OtherIndex,
    };

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Add(int index, long count) => _counts[Padding + index] += count;

    private long Read(int index) => Volatile.Read(ref _counts[Padding + index]);
}
