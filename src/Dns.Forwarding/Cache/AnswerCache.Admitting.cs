using System.Buffers;

namespace Dns.Forwarding.Cache;

/// <content>
/// Entries written under other zones or by another process: each is checked like a new reply from the upstreams of its
/// zone. Records of another zone are removed, and records that would not be accepted are dropped.
/// </content>
public sealed partial class AnswerCache
{
    /// <summary>Reads an outdated entry after checking it again.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryReadAgain(
        scoped in Question question, scoped in EntryKey key, uint now, uint staleTtl, Span<byte> destination,
        out CacheRead read)
    {
        Reconsider(in question, in key, now);
        // The zones may have changed once more; the next query checks again.
        return ShardOf(key.Hash).TryRead(in key, now, staleTtl, destination, out read) && !IsOutdated(in read.Header);
    }

    /// <summary>Confirms, shortens or removes an entry.</summary>
    private void Reconsider(scoped in Question question, scoped in EntryKey key, uint now)
    {
        byte[] entry = ArrayPool<byte>.Shared.Rent(CacheFileReader.MaxEntryBytes);
        AcceptedAnswer answer = _answers.Rent();
        CacheShard shard = ShardOf(key.Hash);
        int length = shard.CopyWhole(in key, entry, out uint position);
        if (length > 0)
        {
            EntryHeader header = System.Runtime.InteropServices.MemoryMarshal.Read<EntryHeader>(entry);
            if (!TryReadAsReply(in question, in header, entry.AsSpan(0, length), answer))
                shard.Remove(in key, position);
            else if (answer.EndsInAlias == header.EndsInAlias
                && answer.Records.SequenceEqual(entry.AsSpan(header.RecordOffset, header.RecordOctets)))
                shard.Confirm(in key, position, answer.Generation);
            else
                shard.TryStore(in key, Aged(in header, answer), answer.TtlOffsets, answer.Records, now, position);
        }
        _answers.Return(answer);
        ArrayPool<byte>.Shared.Return(entry);
    }

    /// <summary>Stores an entry of a file, if it would be accepted from an upstream.</summary>
    /// <param name="entry">The whole entry, well-formed.</param>
    /// <param name="age">Its age in units of <see cref="CacheClock"/>.</param>
    private bool TryAdmit(scoped in EntryHeader header, ReadOnlySpan<byte> entry, uint age, AcceptedAnswer answer)
    {
        LookupName name = default;
        name.Set(entry.Slice(EntryHeader.Bytes, header.NameOctets));
        Question question = new(in name, header.QuestionType, RRClass.IN, header.Flags, header.View);
        bool isNameError = (header.Traits & EntryTraits.NameError) != 0;
        if (!IsPossible(in header) || !TryReadAsReply(in question, in header, entry, answer)
            || IsNameError(in question, answer) != isNameError)
            return false;
        uint now = _clock.Now;
        EntryHeader stored = Aged(in header, answer);
        stored.StoredAt = now - age;
        Store(in question, answer, in stored, now);
        return true;
    }

    // Whether this server may have written a header: no failure, and no question that is never forwarded.
    private static bool IsPossible(scoped in EntryHeader header) =>
        (header.Traits & EntryTraits.Failure) == 0
        && (header.Type == 0) == ((header.Traits & EntryTraits.NameError) != 0)
        && Forwarder.IsForwardable(header.QuestionType, RRClass.IN)
        && (header.Flags & ~(QuestionFlags.DnssecOk | QuestionFlags.CheckingDisabled)) == 0;

    /// <summary>The header of an accepted entry: with the age of the entry and at most its lifetime.</summary>
    private static EntryHeader Aged(scoped in EntryHeader old, AcceptedAnswer answer)
    {
        EntryHeader header = EntryHeader.Of(answer, old.StoredAt);
        header.LifetimeSeconds = Math.Min(header.LifetimeSeconds, old.LifetimeSeconds);
        // Addresses dropped before are no longer there to be dropped again, nor is the OPT of the upstream.
        if (old.Error != 0) header.Error = old.Error;
        return header;
    }

    /// <summary>Parses an entry like a new reply from the upstreams of its zone.</summary>
    private bool TryReadAsReply(
        scoped in Question question, scoped in EntryHeader header, ReadOnlySpan<byte> entry, AcceptedAnswer answer)
    {
        ZoneUpstreams? zone = _routing?.Find(in question.Name, question.Type, out _);
        if (_routing is not null && zone is null) return false;
        byte[] message = ArrayPool<byte>.Shared.Rent(header.MessageOctets);
        header.WriteMessage(entry, message);
        AcceptanceRules rules = zone?.Rules ?? new AcceptanceRules(DomainName.Root, _options);
        ReplyVerdict verdict = ReplyReader.Read(
            in question, message.AsSpan(0, header.MessageOctets), rules, zone?.TrustsAuthenticData ?? true, answer);
        ArrayPool<byte>.Shared.Return(message);
        return verdict == ReplyVerdict.Accepted && answer.LifetimeSeconds > 0;
    }
}
