namespace Dns.Forwarding.Cache;

/// <content>Storing and flushing.</content>
public sealed partial class AnswerCache
{
    /// <summary>
    /// Caches an answer for its lifetime and replaces what was cached, failures included; without a lifetime it is not
    /// cached. Takes one shard's lock briefly.
    /// </summary>
    public void Store(scoped in Question question, AcceptedAnswer answer)
    {
        if (answer.LifetimeSeconds == 0) return;
        uint now = _clock.Now;
        Store(in question, answer, EntryHeader.Of(answer, now), now);
    }

    private void Store(scoped in Question question, AcceptedAnswer answer, in EntryHeader entry, uint now)
    {
        bool isNameError = IsNameError(in question, answer);
        EntryKey exact = EntryKey.Of(in question), nameError = EntryKey.OfNameError(in question, 0);
        EntryKey failure = EntryKey.OfFailure(in question);
        if (isNameError)
        {
            ShardOf(nameError.Hash).TryStore(in nameError, entry, answer.TtlOffsets, answer.Records, now);
            ShardOf(exact.Hash).Remove(in exact);
        }
        else
        {
            ShardOf(exact.Hash).TryStore(in exact, entry, answer.TtlOffsets, answer.Records, now);
            if (HasNameErrorsOrFailures()) ShardOf(nameError.Hash).Remove(in nameError);
        }
        if (HasNameErrorsOrFailures()) ShardOf(failure.Hash).Remove(in failure);
    }

    // Whether an answer is an NXDOMAIN of the queried name, which requires that there is no alias. Not for DS, which
    // may come from the upstreams of the parent.
    private static bool IsNameError(scoped in Question question, AcceptedAnswer answer) =>
        answer.IsNameError && answer.AliasCount == 0 && question.Type != RRType.DS;

    /// <summary>Caches a failure for 1 s, doubled with each repetition up to 5 min (RFC 9520). Answers stay.</summary>
    /// <param name="isOutage">Whether no upstream could be queried, whatever the name: 1 s each time.</param>
    public void StoreFailure(scoped in Question question, ExtendedErrorCode error, bool isOutage = false)
    {
        uint now = _clock.Now;
        EntryKey key = EntryKey.OfFailure(in question);
        CacheShard shard = ShardOf(key.Hash);
        int failures = 0;
        // A failure that is too old does not count.
        if (shard.TryRead(in key, now, 0, default, out CacheRead last) && !shard.IsForgotten(in last.Header, now))
            failures = last.Header.FailureCount;
        uint seconds = isOutage
            ? LeastFailureSeconds
            : (uint)Math.Min((ulong)LeastFailureSeconds << Math.Min(failures, 16), MostFailureSeconds);
        EntryHeader entry = new()
        {
            StoredAt = now,
            LifetimeSeconds = seconds,
            Rcode = (byte)Rcode.ServFail,
            Error = (ushort)error < byte.MaxValue ? (byte)(error + 1) : (byte)0,
            FailureCount = (byte)Math.Min(isOutage ? failures : failures + 1, byte.MaxValue),
        };
        shard.TryStore(in key, entry, [], [], now);
        ForgetRefresh(in question);
    }

    /// <summary>Lets an entry be refreshed again, after a refresh that brought no answer.</summary>
    internal void ForgetRefresh(scoped in Question question)
    {
        EntryKey answer = EntryKey.Of(in question), nameError = EntryKey.OfNameError(in question, 0);
        ShardOf(answer.Hash).ForgetRefresh(in answer);
        ShardOf(nameError.Hash).ForgetRefresh(in nameError);
    }

    /// <summary>Removes the entries of a question, failures included.</summary>
    internal void Forget(scoped in Question question)
    {
        Remove(EntryKey.Of(in question));
        Remove(EntryKey.OfNameError(in question, 0));
        Remove(EntryKey.OfFailure(in question));

        void Remove(scoped in EntryKey key) => ShardOf(key.Hash).Remove(in key);
    }

    /// <summary>Removes all entries; returns their number.</summary>
    public int Flush() => _shards.Sum(shard => shard.RemoveWhere(_ => true));

    /// <summary>Removes the entries of a name, all types and flags, failures included; returns their number.</summary>
    public int Flush(DomainName name)
    {
        byte[] lower = Lower(name);
        return _shards.Sum(shard => shard.RemoveWhere(entry => entry.SequenceEqual(lower)));
    }

    /// <summary>Removes the entries of a name and all names below it; returns their number.</summary>
    public int FlushBelow(DomainName name)
    {
        byte[] lower = Lower(name);
        return _shards.Sum(shard => shard.RemoveWhere(entry => WireName.IsAtOrBelow(entry, lower)));
    }

    /// <summary>Removes the entries of several names and all names below, in one pass; returns their number.</summary>
    public int FlushBelow(IReadOnlyCollection<DomainName> names)
    {
        if (names.Count == 0) return 0;
        HashSet<ulong> hashes = [.. names.Select(name => NameHash.Compute(name.Octets))];
        return _shards.Sum(shard => shard.RemoveWhere(entry => IsAtOrBelowAny(entry, hashes)));
    }

    /// <summary>By the hash alone: a collision removes an entry too many, which does no harm.</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private static bool IsAtOrBelowAny(ReadOnlySpan<byte> entry, HashSet<ulong> hashes)
    {
        Unsafe.SkipInit(out LookupName name);
        name.Set(entry);
        for (int skipped = 0; skipped <= name.LabelCount; skipped++)
            if (hashes.Contains(name.SuffixHash(skipped))) return true;
        return false;
    }

    private static byte[] Lower(DomainName name)
    {
        byte[] lower = new byte[name.Octets.Length];
        WireName.ToLower(name.Octets, lower);
        return lower;
    }
}
