using System.Buffers.Binary;
using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>Readers copy whole answers, or none, whatever writers do meanwhile.</summary>
public class ConcurrencyTests
{
    private const int Names = 400;
    private static readonly byte[][] Octets =
        [.. Enumerable.Range(0, Names).Select(i => WireOctets.Name($"n{i}.example."))];

    [Fact]
    public async Task Readers_never_see_parts_of_other_answers()
    {
        using AnswerCache cache = new(new CacheOptions { MaxBytes = 1 << 20 }, TimeProvider.System);
        using CancellationTokenSource stop = new();
        Task[] readers = [.. Enumerable.Range(0, 3).Select(seed => Task.Run(() => Read(cache, seed)))];
        Task<int>[] writers =
            [.. Enumerable.Range(0, 2).Select(seed => Task.Run(() => Write(cache, seed, stop.Token)))];
        await Task.WhenAll(readers);
        await stop.CancelAsync();
        int[] stored = await Task.WhenAll(writers);
        Assert.All(stored, count => Assert.True(count > 0));
    }

    /// <summary>Answers of any length, each address the number of its name and the version of its answer.</summary>
    private static int Write(AnswerCache cache, int seed, CancellationToken stop)
    {
        Random random = new(seed);
        AcceptedAnswer accepted = new();
        int version = 1;
        for (; !stop.IsCancellationRequested; version++)
        {
            int number = random.Next(Names), addresses = random.Next(1, 40);
            byte[] octets = Octets[number];
            byte[] reply = new byte[12 + octets.Length + 4 + addresses * 16];
            MessageHeader.SetFlags(reply, MessageHeader.QueryResponse);
            MessageHeader.SetCount(reply, 0, 1);
            MessageHeader.SetCount(reply, 1, (ushort)addresses);
            octets.CopyTo(reply, 12);
            int end = 12 + octets.Length;
            reply[end + 1] = reply[end + 3] = 1;
            for (int i = 0; i < addresses; i++)
            {
                Span<byte> record = reply.AsSpan(end + 4 + i * 16, 16);
                ((ReadOnlySpan<byte>)[0xC0, 12, 0, 1, 0, 1, 0, 0, 100, 0, 0, 4]).CopyTo(record);
                BinaryPrimitives.WriteInt32BigEndian(record[12..], number << 16 | (version & 0xFFFF));
            }
            LookupName name = default;
            name.Set(octets);
            Question question = new(in name, RRType.A, RRClass.IN, 0);
            Assert.Equal(ReplyVerdict.Accepted, ReplyReader.Read(in question, reply, Taken.Plain, false, accepted));
            cache.Store(in question, accepted);
            if (version % 5_000 == 0) cache.Flush();
            if (version % 500 == 0) cache.Flush(DomainName.FromOctets(octets));
            if (version % 100 == 0) cache.StoreFailure(in question, ExtendedErrorCode.NetworkError);
        }
        return version;
    }

    private static void Read(AnswerCache cache, int seed)
    {
        Random random = new(seed);
        byte[] destination = new byte[65535];
        for (int hits = 0; hits < 300_000;)
        {
            int number = random.Next(Names);
            LookupName name = default;
            name.Set(Octets[number]);
            Question question = new(in name, RRType.A, RRClass.IN, 0);
            CacheState state =
                cache.TryCopy(in question, TimeProvider.System.GetTimestamp(), destination, out RelayedAnswer answer);
            if (state is not (CacheState.Fresh or CacheState.DueForRefresh)) continue;
            hits++;
            Assert.Equal(answer.AnswerCount * 16, answer.Octets);
            int value = BinaryPrimitives.ReadInt32BigEndian(destination.AsSpan(12));
            Assert.Equal(number, value >> 16);
            for (int i = 0; i < answer.Octets; i += 16)
            {
                Assert.Equal(value, BinaryPrimitives.ReadInt32BigEndian(destination.AsSpan(i + 12)));
                Assert.InRange(BinaryPrimitives.ReadInt32BigEndian(destination.AsSpan(i + 6)), 25_000, 25_600);
            }
        }
    }
}
