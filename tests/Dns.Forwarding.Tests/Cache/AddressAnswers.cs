using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>Stores and looks up addresses of many names.</summary>
internal sealed class AddressAnswers
{
    private readonly AcceptedAnswer _accepted = new();
    private readonly byte[] _destination = new byte[65535];

    /// <summary>The clock of the caches.</summary>
    public VirtualClock Clock { get; } = new();

    public bool Ask(AnswerCache cache, string name)
    {
        LookupName lookup = default;
        lookup.Set(WireOctets.Name(name));
        Question question = new(in lookup, RRType.A, RRClass.IN, 0);
        return cache.TryCopy(in question, Clock.GetTimestamp(), _destination, out _) == CacheState.Fresh;
    }

    /// <returns>Whether there is an answer, be it expired.</returns>
    public bool AskStale(AnswerCache cache, string name)
    {
        LookupName lookup = default;
        lookup.Set(WireOctets.Name(name));
        Question question = new(in lookup, RRType.A, RRClass.IN, 0);
        return cache.TryCopyStale(in question, _destination, out _);
    }

    /// <returns>Bytes that the cache allocated for it.</returns>
    public long Store(AnswerCache cache, string name, int addresses = 1)
    {
        byte[] record = [0xC0, 12, 0, 1, 0, 1, 0, 1, 0, 0, 0, 4, 192, 0, 2, 1];
        byte[] reply = [.. ReplyText.Build($"{name} A", "NOERROR"),
            .. Enumerable.Repeat(record, addresses).SelectMany(octets => octets)];
        MessageHeader.SetCount(reply, 1, (ushort)addresses);
        LookupName lookup = default;
        lookup.Set(WireOctets.Name(name));
        Question question = new(in lookup, RRType.A, RRClass.IN, 0);
        Assert.Equal(ReplyVerdict.Accepted, ReplyReader.Read(in question, reply, Taken.Plain, false, _accepted));
        long before = GC.GetAllocatedBytesForCurrentThread();
        cache.Store(in question, _accepted);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    public bool AskOrStore(AnswerCache cache, string name)
    {
        if (Ask(cache, name)) return true;
        Store(cache, name);
        return false;
    }
}
