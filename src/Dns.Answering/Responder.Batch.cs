namespace Dns.Answering;

/// <content>Batches of datagrams.</content>
public sealed partial class Responder
{
    /// <summary>The number of queries that are parsed before the first is answered.</summary>
    private const int GroupSize = 16;

    /// <summary>Names above which a zone exceeds the processor caches, so that prefetching pays.</summary>
    private const int LargeZoneNames = 20_000;

    /// <summary>A query of a group that is parsed but not yet answered.</summary>
    private struct ReadQuery
    {
        internal Query Query;
        internal ReplyOutcome Admitted;
        internal int ApexSkip;
        internal int ViewAt;
        internal NodeHint Hint;
    }

    [InlineArray(GroupSize)]
    private struct ReadQueries
    {
        private ReadQuery _first;
    }

    [InlineArray(GroupSize)]
    private struct FoundZones
    {
        private ZoneSlot? _first;
    }

    /// <summary>
    /// Answers a batch as <see cref="Respond(Span{byte}, int, ref QueryOrigin, IReplyPaths?)"/> one by one, but first
    /// parses a group of queries and prefetches what their answers read: the cache misses overlap.
    /// </summary>
    /// <param name="batch">On return, lengths are those of the replies: 0 for none or a deferred one.</param>
    /// <param name="paths">The reply paths; null if replies cannot be deferred.</param>
    public void RespondToBatch(scoped in DatagramBatch batch, IReplyPaths? paths = null)
    {
        NoSource none = default;
        RespondToBatch(in batch, paths, ref none);
    }

    /// <summary>The same from the served zones and another source.</summary>
    public void RespondToBatch<TSource>(scoped in DatagramBatch batch, IReplyPaths? paths, ref TSource source)
        where TSource : IAnswerSource, allows ref struct =>
        RespondToBatch(in batch, paths, ref source, default(NoSteps));

    /// <summary>The same with the steps of features.</summary>
    public void RespondToBatch<TSource, TSteps>(
        scoped in DatagramBatch batch, IReplyPaths? paths, ref TSource source, TSteps steps)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        int last = batch.Memory.Length - batch.SlotOctets;
        ArgumentOutOfRangeException.ThrowIfNegative(last);
        if (batch.Offsets[..batch.Count].ContainsAnyExceptInRange(0, last))
            throw new ArgumentOutOfRangeException(nameof(batch));
        ArgumentOutOfRangeException.ThrowIfLessThan(batch.Clients.Length, batch.Count);
        Worker worker = Worker.OfThread;
        QueryContext context = default;
        context.Transport = DnsTransport.Udp;
        context.Now = batch.Now;
        context.Paths = paths;
        EnterView(ref context, _views.Default);
        context.Options = _options;
        context.Worker = worker;
        context.Counts = Counters.Of(worker);
        if (batch.Count == 1)
        {
            RespondAlone(ref context, in batch, ref source, steps);
            return;
        }
        for (int start = 0; start < batch.Count; start += GroupSize)
            RespondToGroup(ref context, in batch, start, Math.Min(start + GroupSize, batch.Count), ref source, steps);
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void RespondAlone<TSource, TSteps>(
        scoped ref QueryContext shared, scoped in DatagramBatch batch, ref TSource source, TSteps steps)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out Query query);
        QueryContext context = shared;
        context.Message = batch.Slot(0);
        context.Query = ref Unscoped.Of(in query);
        context.Client = ref batch.Clients[0];
        int received = batch.Lengths[0];
        try
        {
            batch.Lengths[0] = RespondToOne(ref context, received, ref source, steps).Octets;
        }
        catch (Exception error) when (Exceptions is not null)
        {
            batch.Lengths[0] = Drop(error, context.Message, received);
        }
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void RespondToGroup<TSource, TSteps>(
        scoped ref QueryContext shared, scoped in DatagramBatch batch, int start, int end, ref TSource source,
        TSteps steps)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out ReadQueries queries);
        FoundZones zones = default;
        QueryContext context = shared;
        bool isLarge = false;
        // A message that causes an exception is dropped and reported; the loop continues behind it.
        for (int i = start; i < end; i++)
            try
            {
                for (; i < end; i++)
                {
                    ref ReadQuery read = ref queries[i - start];
                    Enter(ref context, in batch, i, ref read.Query);
                    read.Admitted = Admit(ref context, batch.Lengths[i]);
                    if (read.Admitted.IsHandled) continue;
                    isLarge |= Locate(ref context, ref read, ref zones[i - start]);
                }
            }
            catch (Exception error) when (Exceptions is not null)
            {
                Drop(error, batch.Slot(i), batch.Lengths[i]);
                queries[i - start].Admitted = ReplyOutcome.None;
            }
        if (isLarge) PrefetchNodes(ref queries, ref zones, end - start);
        for (int i = start; i < end; i++)
            try
            {
                for (; i < end; i++)
                {
                    ref ReadQuery read = ref queries[i - start];
                    Enter(ref context, in batch, i, ref read.Query);
                    batch.Lengths[i] =
                        AnswerOfGroup(ref context, ref read, zones[i - start], ref source, steps).Octets;
                }
            }
            catch (Exception error) when (Exceptions is not null)
            {
                batch.Lengths[i] = Drop(error, batch.Slot(i), batch.Lengths[i]);
            }
    }

    /// <summary>Sets the fields of one query.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Enter(scoped ref QueryContext context, scoped in DatagramBatch batch, int index,
        ref Query query)
    {
        // In range: offsets and clients were checked before the first datagram was read.
        int offset = Unsafe.Add(ref MemoryMarshal.GetReference(batch.Offsets), index);
        context.Message = MemoryMarshal.CreateSpan(
            ref Unsafe.Add(ref MemoryMarshal.GetReference(batch.Memory), offset), batch.SlotOctets);
        context.Query = ref Unscoped.Of(in query);
        context.Client = ref Unsafe.Add(ref MemoryMarshal.GetReference(batch.Clients), index);
        context.PathSlot = index;
    }

    /// <summary>Finds the zone of a query and prefetches the start of its answer.</summary>
    /// <returns>Whether the zone is large enough that its node is prefetched too.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Locate(scoped ref QueryContext context, ref ReadQuery read, ref ZoneSlot? zoneSlot)
    {
        ref Query query = ref read.Query;
        read.Hint = default;
        _options.RateLimiter?.Prefetch(query.Name.Hash, ref context.Client);
        if (_hasViews)
        {
            ChooseView(ref context);
            read.ViewAt = context.ViewAt;
        }
        zoneSlot = ZoneChoice.Find(context.Zones, in query.Name, query.Type, out read.ApexSkip);
        if (zoneSlot?.Zone is not { } zone || zone.NameCount < LargeZoneNames) return false;
        zone.PrefetchSlot(in query.Name);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReplyOutcome AnswerOfGroup<TSource, TSteps>(
        scoped ref QueryContext context, ref ReadQuery read, ZoneSlot? zoneSlot, ref TSource source, TSteps steps)
        where TSource : IAnswerSource, allows ref struct
        where TSteps : struct, IAnswerSteps
    {
        if (read.Admitted.IsHandled) return Pass(ref context, read.Admitted);
        if (_hasViews) EnterView(ref context, _views[read.ViewAt]);
        context.ZoneSlot = zoneSlot;
        context.ApexSkip = read.ApexSkip;
        context.Hint = read.Hint;
        source.BeginQuery();
        return AnswerRead(ref context, ref source, steps);
    }

    /// <summary>Reports an exception with the query's octets, or the reply's over them. Returns 0: no reply.</summary>
    private int Drop(Exception error, ReadOnlySpan<byte> slot, int queryOctets)
    {
        Exceptions!.Report(LoopName, error, slot[..Math.Clamp(queryOctets, 0, slot.Length)]);
        return 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void PrefetchNodes(ref ReadQueries queries, ref FoundZones zones, int count)
    {
        for (int i = 0; i < count; i++)
            if (!queries[i].Admitted.IsHandled && zones[i]?.Zone is { } zone)
                queries[i].Hint = zone.PrefetchNode(in queries[i].Query.Name);
    }
}
