using System.Buffers.Binary;
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

    /// <summary>Reads what <see cref="Save"/> wrote; what is of no use any more is left out.</summary>
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
        uint now = _clock.Now;
        double elapsed = Math.Clamp((wallClock - reader.SavedAt).TotalSeconds, 0, CacheClock.MaxSeconds);
        uint pause = (uint)(elapsed * CacheClock.UnitsPerSecond);
        LookupName name = default;
        while (reader.TryRead(out EntryHeader header, out ReadOnlySpan<byte> entry))
        {
            // Saved ages are in the place of the time of storing.
            ulong age = (ulong)header.StoredAt + pause;
            ulong use = (ulong)header.LifetimeSeconds * CacheClock.UnitsPerSecond + _staleUnits;
            if (age >= use || age > CacheClock.MaxSeconds) continue;
            name.Set(entry.Slice(EntryHeader.Bytes, header.NameOctets));
            header.StoredAt = now - (uint)age;
            EntryKey key = EntryKey.Of(in name, in header);
            ReadOnlySpan<ushort> offsets = System.Runtime.InteropServices.MemoryMarshal.Cast<byte, ushort>(
                entry[header.TtlOffset..header.RecordOffset]);
            if (ShardOf(key.Hash).TryStore(in key, header, offsets, entry.Slice(header.RecordOffset, header.RecordOctets), now)) entries++;
        }
        return true;
    }

    private static CachedEntry Describe(in EntryHeader header, ReadOnlySpan<byte> entry, uint now)
    {
        uint age = CacheClock.Age(now, header.StoredAt);
        byte[] message = new byte[MessageHeader.LengthOctets + header.NameOctets + 4 + header.RecordOctets];
        RelayedAnswer answer = header.ToAnswer();
        MessageHeader.SetFlags(message, (ushort)(MessageHeader.QueryResponse | MessageHeader.RecursionAvailable
            | (answer.AuthenticData ? MessageHeader.AuthenticData : 0) | (ushort)answer.Rcode));
        MessageHeader.SetCount(message, 0, 1);
        MessageHeader.SetCount(message, 1, answer.AnswerCount);
        MessageHeader.SetCount(message, 2, answer.AuthorityCount);
        Span<byte> question = message.AsSpan(MessageHeader.LengthOctets);
        entry.Slice(EntryHeader.Bytes, header.NameOctets).CopyTo(question);
        question = question[header.NameOctets..];
        BinaryPrimitives.WriteUInt16BigEndian(question, (ushort)(header.Type == 0 ? RRType.ANY : header.Type));
        BinaryPrimitives.WriteUInt16BigEndian(question[2..], (ushort)header.Class);
        entry.Slice(header.RecordOffset, header.RecordOctets).CopyTo(question[4..]);
        TimeSpan old = TimeSpan.FromSeconds(age / (double)CacheClock.UnitsPerSecond);
        return new CachedEntry(
            header.Type, header.Class, header.Flags, (header.Traits & EntryTraits.Failure) != 0, old,
            TimeSpan.FromSeconds(header.LifetimeSeconds) - old, answer.Rcode, answer.Error, message);
    }
}
