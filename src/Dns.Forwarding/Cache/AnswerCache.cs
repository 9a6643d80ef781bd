namespace Dns.Forwarding.Cache;

/// <summary>
/// A cache of encoded answers, bounded in bytes. A hit copies the octets and patches TTLs: no lock, no allocation, on
/// any thread. Sharded by the hash of the question; writers of different shards do not contend. Memory is bounded by
/// <see cref="CacheOptions.MaxBytes"/>, tables included; it is allocated on demand and kept until disposal. Accounted
/// and actual memory differ by less than a tenth.
/// </summary>
public sealed partial class AnswerCache : IDisposable
{
    /// <summary>The TTL of stale records, in seconds (RFC 8767 §5.2).</summary>
    private const uint StaleTtlSeconds = 30;

    /// <summary>The minimum and maximum lifetime of failures, in seconds (RFC 9520 §3.2).</summary>
    private const uint LeastFailureSeconds = 1, MostFailureSeconds = 300;

    private const int RefreshHits = 2;

    private volatile CacheOptions _options;
    private readonly CacheClock _clock;
    private volatile uint _staleUnits;
    private readonly int _shardShift;
    private readonly ShardedCounters _counts = new();
    private readonly CacheShard[] _shards;
    private readonly ZoneRouting? _routing;
    private readonly CountedPool<AcceptedAnswer> _answers =
        new(static () => new AcceptedAnswer(), Environment.ProcessorCount);

    /// <summary>Creates an empty cache.</summary>
    public AnswerCache(CacheOptions options, TimeProvider clock)
        : this(options, clock, null)
    {
    }

    internal AnswerCache(CacheOptions options, TimeProvider clock, ZoneRouting? routing)
    {
        _routing = routing;
        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxBytes, CacheOptions.LeastBytes);
        _options = options;
        _clock = new CacheClock(clock);
        int shards = CacheLayout.ShardCount(options.MaxBytes);
        // The upper bits of a hash select the shard; with one shard none do, and a shift by 64 would be one by 0.
        _shardShift = 63 - System.Numerics.BitOperations.Log2((uint)shards);
        CacheLayout layout = CacheLayout.Divide(options.MaxBytes / shards);
        _shards = [.. Enumerable.Range(0, shards).Select(_ => new CacheShard(layout))];
        Use(options);
    }

    /// <summary>Changes the options except the size.</summary>
    internal void Use(CacheOptions options)
    {
        uint staleSeconds = (uint)Math.Clamp(options.ServeStale.TotalSeconds, 0, CacheClock.MaxSeconds);
        _staleUnits = staleSeconds * CacheClock.UnitsPerSecond;
        foreach (CacheShard shard in _shards) shard.StaleUnits = _staleUnits;
        _options = options;
    }

    /// <summary>Counters so far.</summary>
    public CacheCounters Counters
    {
        get
        {
            return new CacheCounters(
                _counts.Sum(CountedEvent.Hit), _counts.Sum(CountedEvent.Miss), _counts.Sum(CountedEvent.Stale),
                _counts.Sum(CountedEvent.Failure), _shards.Sum(shard => shard.Stored),
                _shards.Sum(shard => shard.Evicted),
                _shards.Sum(shard => shard.Expired), _shards.Sum(shard => shard.Entries),
                _shards.Sum(shard => shard.Bytes));
        }
    }

    /// <summary>Copies the answer to a question with its remaining TTLs. Allocates nothing and never waits.</summary>
    /// <param name="timestamp">A timestamp of the clock; one for a batch will do.</param>
    /// <param name="destination">
    /// Room for the records directly behind the question, up to the client's limit; if they do not fit, none are
    /// copied, and <see cref="RelayedAnswer.DoesNotFit"/> is set.
    /// </param>
    /// <param name="answer">RCODE, counts and flags; valid unless the state is Miss or Stale.</param>
    /// <param name="mayRefresh">Whether the caller can prefetch; only then DueForRefresh is returned.</param>
    public CacheState TryCopy(
        scoped in Question question, long timestamp, Span<byte> destination, out RelayedAnswer answer,
        bool mayRefresh = true)
    {
        uint now = _clock.At(timestamp);
        EntryKey key = EntryKey.Of(in question);
        CacheShard shard = ShardOf(key.Hash);
        bool isThere = shard.TryRead(in key, now, staleTtl: 0, destination, out CacheRead read);
        if (isThere && read.IsFresh && !IsOutdated(in read.Header))
        {
            shard.CountHit(in read);
            _counts.Add(CountedEvent.Hit);
            answer = read.ToAnswer();
            return mayRefresh && IsDue(in read.Header, read.Slot, now) &&
                TryClaimRefresh(in question, shard, in read, now)
                ? CacheState.DueForRefresh : CacheState.Fresh;
        }
        return TryCopySlow(in question, now, isThere, mayRefresh, ref read, destination, out answer);
    }

    /// <summary>
    /// Copies the answer to a question, fresh or stale, when no upstream answers (RFC 8767): a stale one with TTLs of
    /// 30 s and an extended error. False on a miss. Allocates nothing and never waits.
    /// </summary>
    public bool TryCopyStale(scoped in Question question, Span<byte> destination, out RelayedAnswer answer) =>
        TryCopyStale(in question, _clock.Now, destination, out answer);

    private bool TryCopyStale(scoped in Question question, uint now, Span<byte> destination, out RelayedAnswer answer)
    {
        answer = default;
        if (!TryReadStale(in question, EntryKey.Of(in question), now, destination, out CacheRead read)
            &&
            (question.Type == RRType.DS ||
                !TryReadStale(in question, EntryKey.OfNameError(in question, 0), now, destination, out read)))
            return false;
        answer = read.ToAnswer();
        answer.IsStale = !read.IsFresh;
        if (answer.IsStale)
            answer.Error =
                answer.Rcode == Rcode.NXDomain ? ExtendedErrorCode.StaleNxDomain : ExtendedErrorCode.StaleAnswer;
        _counts.Add(read.IsFresh ? CountedEvent.Hit : CountedEvent.Stale);
        return true;
    }

    private bool TryReadStale(
        scoped in Question question, scoped in EntryKey key, uint now, Span<byte> destination, out CacheRead read) =>
        ShardOf(key.Hash).TryRead(in key, now, StaleTtlSeconds, destination, out read)
        &&
        (!IsOutdated(in read.Header) || TryReadAgain(in question, in key, now, StaleTtlSeconds, destination, out read))
        && (read.IsFresh || IsUsable(in read.Header, now));

    /// <summary>Entries other than a current answer: an NXDOMAIN, a failure, a stale or outdated answer.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private CacheState TryCopySlow(
        scoped in Question question, uint now, bool isThere, bool mayRefresh, ref CacheRead read,
        Span<byte> destination, out RelayedAnswer answer)
    {
        if (isThere && IsOutdated(in read.Header))
        {
            EntryKey key = EntryKey.Of(in question);
            isThere = TryReadAgain(in question, in key, now, 0, destination, out read);
            if (isThere && read.IsFresh)
            {
                ShardOf(key.Hash).CountHit(in read);
                _counts.Add(CountedEvent.Hit);
                answer = read.ToAnswer();
                return CacheState.Fresh;
            }
        }
        bool isStale = isThere && IsUsable(in read.Header, now);
        if (HasNameErrorsOrFailures())
        {
            CacheState state = TryCopyNameError(in question, 0, now, mayRefresh, destination, out answer, ref isStale);
            if (state != CacheState.Miss) return state;
            EntryKey failure = EntryKey.OfFailure(in question);
            if (ShardOf(failure.Hash).TryRead(in failure, now, 0, destination, out read) && read.IsFresh)
            {
                if (isStale && TryCopyStale(in question, now, destination, out answer)) return CacheState.Failure;
                answer = read.ToAnswer();
                _counts.Add(CountedEvent.Failure);
                return CacheState.Failure;
            }
        }
        answer = default;
        _counts.Add(CountedEvent.Miss);
        return isStale ? CacheState.Stale : CacheState.Miss;
    }

    /// <summary>After a miss or stale entry, copies the NXDOMAIN of an ancestor, which covers it (RFC 8020).</summary>
    /// <param name="zoneLabels">
    /// Label count of the forwarded zone that holds the name (for DS: its parent); only names at or below it count,
    /// since those above were forwarded elsewhere. -1 if there is none.
    /// </param>
    public bool TryCopyAbove(scoped in Question question, int zoneLabels, Span<byte> destination,
        out RelayedAnswer answer)
    {
        answer = default;
        if (zoneLabels < 0 || !_options.NameErrorCoversNamesBelow || !HasNameErrorsOrFailures()) return false;
        uint now = _clock.Now;
        bool isStale = false;
        int last = question.Name.LabelCount - Math.Max(zoneLabels, 1);
        for (int skipped = 1; skipped <= last; skipped++)
        {
            if (TryCopyNameError(in question, skipped, now, false, destination, out answer, ref isStale)
                == CacheState.Miss) continue;
            _counts.TakeBack(CountedEvent.Miss);
            return true;
        }
        return false;
    }

    /// <summary>NXDOMAIN of the name or an ancestor.</summary>
    private CacheState TryCopyNameError(
        scoped in Question question, int skipped, uint now, bool mayRefresh, Span<byte> destination,
        out RelayedAnswer answer, ref bool isStale)
    {
        answer = default;
        // DS belongs to the parent, whose upstreams may differ from those of the name.
        if (skipped == 0 && question.Type == RRType.DS) return CacheState.Miss;
        EntryKey key = EntryKey.OfNameError(in question, skipped);
        CacheShard shard = ShardOf(key.Hash);
        if (!shard.TryRead(in key, now, 0, destination, out CacheRead read)) return CacheState.Miss;
        if (!read.IsFresh)
        {
            isStale |= IsUsable(in read.Header, now);
            return CacheState.Miss;
        }
        answer = read.ToAnswer();
        if (skipped > 0 && read.IsCopied)
        {
            int longer = question.Name.Start(skipped);
            Span<byte> records = destination[..answer.Octets];
            if (!RelayedShift.TryShift(records, answer.AuthorityCount, question.EndOffset - longer, longer))
                return CacheState.Miss;
        }
        shard.CountHit(in read);
        _counts.Add(CountedEvent.Hit);
        return mayRefresh && IsDue(in read.Header, read.Slot, now) && TryClaimRefresh(in question, shard, in read, now)
            ? CacheState.DueForRefresh : CacheState.Fresh;
    }

    /// <summary>Whether an entry is popular and in the last tenth of its lifetime.</summary>
    private bool IsDue(in EntryHeader header, ulong slot, uint now)
    {
        if (CacheSlot.Hits(slot) < RefreshHits || (slot & CacheSlot.RefreshStarted) != 0 || !_options.Prefetch)
            return false;
        uint lifetime = header.LifetimeSeconds * CacheClock.UnitsPerSecond;
        return lifetime - CacheClock.Age(now, header.StoredAt) <= lifetime / 10;
    }

    private bool TryClaimRefresh(scoped in Question question, CacheShard shard, in CacheRead read, uint now)
    {
        EntryKey failure = EntryKey.OfFailure(in question);
        bool failedJustNow =
            ShardOf(failure.Hash).TryRead(in failure, now, 0, default, out CacheRead failed) && failed.IsFresh;
        return !failedJustNow && shard.TryMarkRefresh(in read);
    }

    /// <summary>Whether an expired entry may be served as stale.</summary>
    private bool IsUsable(in EntryHeader header, uint now) =>
        CacheClock.Age(now, header.StoredAt) < (ulong)header.LifetimeSeconds * CacheClock.UnitsPerSecond + _staleUnits
        && (header.Traits & EntryTraits.Failure) == 0;

    /// <summary>Whether its names may belong to another zone since it was stored.</summary>
    private bool IsOutdated(in EntryHeader header) =>
        (header.Traits & EntryTraits.Targets) != 0 && _routing is not null && header.Generation != _routing.Generation;

    private bool HasNameErrorsOrFailures()
    {
        foreach (CacheShard shard in _shards)
            if (shard.Special > 0) return true;
        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private CacheShard ShardOf(ulong hash) => _shards[(int)(hash >> 1 >> _shardShift)];

    /// <summary>Removes all entries. A late reader gets a miss; the memory is freed with the cache.</summary>
    public void Dispose() => Flush();
}
