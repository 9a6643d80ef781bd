namespace Dns.Forwarding.Cache;

/// <content>Inspection, save and load.</content>
public sealed partial class AnswerCache
{
    /// <summary>The magic octets of a saved cache.</summary>
    public static ReadOnlySpan<byte> FileMark => "dnscache"u8;

    /// <summary>All entries of a name, in no order. Scans the whole cache: not for queries.</summary>
    public IReadOnlyList<CachedEntry> Lookup(DomainName name)
    {
        byte[] lower = Lower(name);
        List<CachedEntry> found = [];
        uint now = _clock.Now;
        foreach (CacheShard shard in _shards)
        {
            shard.VisitAll((in EntryHeader header, ReadOnlySpan<byte> entry) =>
            {
                if (entry.Slice(EntryHeader.Bytes, header.NameOctets).SequenceEqual(lower))
                    found.Add(CachedEntry.Of(in header, entry, CacheClock.Age(now, header.StoredAt)));
            });
        }
        return found;
    }

    /// <summary>Writes all answers with their ages, without failures. Takes the locks of the shards in turn.</summary>
    /// <param name="wallClock">The wall clock, so that entries age while the server is stopped.</param>
    /// <param name="origin">The configuration as in <see cref="Forwarder.Origin"/>.</param>
    /// <returns>The number of entries written.</returns>
    public int Save(Stream stream, DateTimeOffset wallClock, ReadOnlySpan<byte> origin = default)
    {
        using CacheFileWriter writer = new(stream, wallClock, origin);
        foreach (CacheShard shard in _shards)
        {
            uint now = _clock.Now;
            shard.VisitAll((in EntryHeader header, ReadOnlySpan<byte> entry) =>
            {
                if ((header.Traits & EntryTraits.Failure) == 0)
                    writer.Write(header, entry, CacheClock.Age(now, header.StoredAt));
            });
        }
        return writer.Finish();
    }

    /// <summary>
    /// Loads what <see cref="Save"/> wrote. The file is not trusted: each entry is checked like a new reply. Expired
    /// entries and those that would not be accepted are dropped.
    /// </summary>
    /// <param name="stream">The source, read twice.</param>
    /// <param name="fault">What is wrong with the file; nothing was loaded then.</param>
    /// <returns>False if the file is damaged, of another version or configuration, or not a saved cache.</returns>
    public bool TryLoad(
        Stream stream, DateTimeOffset wallClock, out int entries, out CacheFileFault fault,
        ReadOnlySpan<byte> origin = default)
    {
        entries = 0;
        CacheFileReader reader = new(stream, origin);
        fault = reader.Verify();
        if (fault != CacheFileFault.None) return false;
        double elapsed = Math.Clamp((wallClock - reader.SavedAt).TotalSeconds, 0, CacheClock.MaxSeconds);
        uint pause = (uint)(elapsed * CacheClock.UnitsPerSecond);
        AcceptedAnswer answer = _answers.Rent();
        while (reader.TryRead(out EntryHeader header, out ReadOnlySpan<byte> entry))
        {
            // A saved entry has its age in place of the time of storing.
            ulong age = (ulong)header.StoredAt + pause;
            ulong use = (ulong)header.LifetimeSeconds * CacheClock.UnitsPerSecond + _staleUnits;
            if (age >= use || age > CacheClock.MaxSeconds) continue;
            if (TryAdmit(in header, entry, (uint)age, answer)) entries++;
        }
        _answers.Return(answer);
        return true;
    }
}
