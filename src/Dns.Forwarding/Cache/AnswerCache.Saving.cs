using Dns.Protocol;

namespace Dns.Forwarding;

/// <content>What people look at, and what outlives the process.</content>
public sealed partial class AnswerCache
{
    /// <summary>What every saved cache begins with.</summary>
    public static ReadOnlySpan<byte> FileMark => "dnscache"u8;

    /// <summary>All that is held about a name, in no order. Looks at every entry: not for the way of a query.</summary>
    public IReadOnlyList<CachedEntry> Lookup(DomainName name)
    {
        byte[] lower = Lower(name);
        List<CachedEntry> found = [];
        uint now = _clock.Now;
        foreach (CacheShard shard in _shards)
        {
            shard.VisitAll((in EntryHeader header, ReadOnlySpan<byte> entry) =>
            {
                if (entry.Slice(EntryHeader.Bytes, header.NameOctets).SequenceEqual(lower)) found.Add(Describe(in header, entry, now));
            });
        }
        return found;
    }

    /// <summary>Writes all answers, with their ages. Takes the locks of the shards in turn; failures are left out.</summary>
    /// <param name="stream">Where to.</param>
    /// <param name="wallClock">What the time is for people: ages go on while nothing runs.</param>
    /// <param name="origin">Who was asked about what, as <see cref="Forwarder.Origin"/> says it.</param>
    /// <returns>Entries written.</returns>
    public int Save(Stream stream, DateTimeOffset wallClock, ReadOnlySpan<byte> origin = default)
    {
        using CacheFileWriter writer = new(stream, wallClock, origin);
        foreach (CacheShard shard in _shards)
        {
            uint now = _clock.Now;
            shard.VisitAll((in EntryHeader header, ReadOnlySpan<byte> entry) =>
            {
                if ((header.Traits & EntryTraits.Failure) == 0) writer.Write(header, entry, CacheClock.Age(now, header.StoredAt));
            });
        }
        return writer.Finish();
    }

    /// <summary>
    /// Reads what <see cref="Save"/> wrote. A file may say anything: each entry counts as a reply that has just come. What is of no use
    /// any more, or that no upstream would be believed, is left out.
    /// </summary>
    /// <param name="stream">Where from: can be read twice.</param>
    /// <param name="wallClock">What the time is for people.</param>
    /// <param name="entries">Entries loaded.</param>
    /// <param name="fault">What is wrong with the file; then nothing has been loaded.</param>
    /// <param name="origin">Who is asked about what now.</param>
    /// <returns>False if the file is damaged, of another version, of other origin, or none of ours.</returns>
    public bool TryLoad(
        Stream stream, DateTimeOffset wallClock, out int entries, [System.Diagnostics.CodeAnalysis.NotNullWhen(false)] out string? fault,
        ReadOnlySpan<byte> origin = default)
    {
        entries = 0;
        CacheFileReader reader = new(stream, origin);
        if (!reader.TryVerify(out fault)) return false;
        double elapsed = Math.Clamp((wallClock - reader.SavedAt).TotalSeconds, 0, CacheClock.MaxSeconds);
        uint pause = (uint)(elapsed * CacheClock.UnitsPerSecond);
        AcceptedAnswer answer = _answers.Rent();
        while (reader.TryRead(out EntryHeader header, out ReadOnlySpan<byte> entry))
        {
            // Saved ages are in the place of the time of storing.
            ulong age = (ulong)header.StoredAt + pause;
            ulong use = (ulong)header.LifetimeSeconds * CacheClock.UnitsPerSecond + _staleUnits;
            if (age >= use || age > CacheClock.MaxSeconds) continue;
            if (TryAdmit(in header, entry, (uint)age, answer)) entries++;
        }
        _answers.Return(answer);
        return true;
    }

    private static CachedEntry Describe(in EntryHeader header, ReadOnlySpan<byte> entry, uint now)
    {
        uint age = CacheClock.Age(now, header.StoredAt);
        byte[] message = new byte[header.MessageOctets];
        WriteMessage(in header, entry, message);
        RelayedAnswer answer = header.ToAnswer();
        TimeSpan old = TimeSpan.FromSeconds(age / (double)CacheClock.UnitsPerSecond);
        return new CachedEntry(
            header.Type, header.Class, header.Flags, (header.Traits & EntryTraits.Failure) != 0, old,
            TimeSpan.FromSeconds(header.LifetimeSeconds) - old, answer.Rcode, answer.Error, message);
    }
}
