using System.Collections.Concurrent;
using System.Security.Cryptography;

namespace Dns.Replication.Incoming;

/// <summary>Queries primaries: serials over datagrams first, transfers over streams. Thread-safe.</summary>
/// <param name="random">The source of IDs in reproducible tests; null = unpredictable IDs.</param>
internal sealed class PrimaryClient(IOutgoingNetwork network, MonotonicClock clock, TimingWheel wheel, Random? random)
{
    /// <summary>Fewer octets within <see cref="SlowTime"/> are too slow.</summary>
    internal const int LeastOctets = 1024;

    /// <summary>How long a silent primary gets shorter timeouts.</summary>
    private static readonly TimeSpan DownFor = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan SlowTime = TimeSpan.FromSeconds(30);

    // Silent primaries; at most one entry for each configured address.
    private readonly ConcurrentDictionary<IPEndPoint, long> _downUntil = new();

    private long Seconds => clock.Provider.GetUtcNow().ToUnixTimeSeconds();

    /// <summary>Queries the serial.</summary>
    public async Task<PrimaryAnswer> QueryAsync(PeerAddress primary, DomainName zone, TsigKeyRing keys,
        CancellationToken cancellation)
    {
        if (!TryFindKey(primary, keys, out TsigKey? key, out TransferFailure? failure))
            return new PrimaryAnswer(default, failure);
        PrimaryAnswer answer = await QueryAsync(primary, zone, key, hasEdns: true, cancellation).ConfigureAwait(false);
        // A server without EDNS support answers FORMERR or NOTIMP (RFC 6891 §7).
        return answer.Failure is { Kind: TransferFailureKind.Refused, Message: var message }
            &&
            (message.Contains("FORMERR", StringComparison.Ordinal) ||
                message.Contains("NOTIMP", StringComparison.Ordinal))
            ? await QueryAsync(primary, zone, key, hasEdns: false, cancellation).ConfigureAwait(false) : answer;
    }

    /// <summary>Transfers a zone; the reader is then complete, or has a failure.</summary>
    /// <param name="running">Receives the reader, for progress reports.</param>
    public async Task<TransferReader> TransferAsync(
        PeerAddress primary, TransferOrder order, Action<TransferReader> running, CancellationToken cancellation)
    {
        RRType type = order.Have is null || order.IsWhole ? RRType.AXFR : RRType.IXFR;
        TryFindKey(primary, order.Options.Keys, out TsigKey? key, out TransferFailure? failure);
        using PrimaryQuery query =
            PrimaryQuery.Write(NextId(), order.Zone, type, order.Have, order.HasEdns, key, Seconds);
        TransferReader reader =
            new(query, order.Have, order.Options.Transfer, order.Options.ZoneLimits, order.AcceptsAnySerial);
        running(reader);
        if (failure is not null)
        {
            reader.End(failure);
            return reader;
        }
        TimeSpan most = TimeSpan.FromSeconds(order.Options.Transfer.MaxSeconds);
        StreamClient client = Connect(primary, most);
        await using (client.ConfigureAwait(false))
        {
            await using ITimer timer =
                clock.Provider.CreateTimer(static client => Close(client), client, most, Timeout.InfiniteTimeSpan);
            await using CancellationTokenRegistration end =
                cancellation.UnsafeRegister(static client => Close(client), client);
            long began = clock.Now;
            TransferFailure? ended = await ReadAsync(client, query, reader, primary).ConfigureAwait(false);
            if (ended is null) return reader;
            if (cancellation.IsCancellationRequested) ended = new(TransferFailureKind.Cancelled, "it was ended");
            else if (clock.Now - began >= most.Ticks)
                ended = new(TransferFailureKind.TooLarge,
                    $"it took more than {most.TotalSeconds:N0} s, which MaxSeconds allows");
            reader.End(ended);
            return reader;
        }
    }

    private async Task<PrimaryAnswer> QueryAsync(
        PeerAddress primary, DomainName zone, TsigKey? key, bool hasEdns, CancellationToken cancellation)
    {
        bool isDown = _downUntil.TryGetValue(primary.EndPoint, out long until) && clock.Now < until;
        using (PrimaryQuery query = PrimaryQuery.Write(NextId(), zone, RRType.SOA, null, hasEdns, key, Seconds))
        {
            byte[]? reply = await DatagramQuestion.QueryAsync(
                network, primary, query, clock.Provider, isDown, cancellation).ConfigureAwait(false);
            if (reply is not null && !PrimaryQuery.IsCut(reply) && !IsRefused(reply))
                return Read(query, reply, primary, hasEdns);
            if (cancellation.IsCancellationRequested)
                return new(default, new(TransferFailureKind.Cancelled, "it was ended"));
            if (reply is null && isDown && primary.Scheme.HasDatagrams) return Silent(primary);
        }
        using PrimaryQuery again = PrimaryQuery.Write(NextId(), zone, RRType.SOA, null, hasEdns, key, Seconds);
        return await QueryOverStreamAsync(primary, again, hasEdns, cancellation).ConfigureAwait(false);
    }

    /// <summary>Knot DNS answers queries for a catalog over TCP only, where the address cannot be forged.</summary>
    private static bool IsRefused(byte[] reply) =>
        reply.Length >= MessageHeader.LengthOctets &&
            (MessageHeader.Flags(reply) & MessageHeader.RcodeMask) == (int)Rcode.Refused;

    /// <summary>Retries over a stream: the answer was cut or refused, or datagrams are blocked.</summary>
    private async Task<PrimaryAnswer> QueryOverStreamAsync(
        PeerAddress primary, PrimaryQuery query, bool hasEdns, CancellationToken cancellation)
    {
        StreamClient client = Connect(primary, SlowTime);
        await using (client.ConfigureAwait(false))
        {
            await using CancellationTokenRegistration end =
                cancellation.UnsafeRegister(static client => Close(client), client);
            if (await client.ConnectAsync().ConfigureAwait(false) != StreamStatus.Done) return Silent(primary);
            if (await client.SendAsync(query.Octets).ConfigureAwait(false) != StreamStatus.Done) return Silent(primary);
            StreamMessage message = await client.ReceiveAsync().ConfigureAwait(false);
            return message.Status == StreamStatus.Done
                ? Read(query, message.Octets.Span, primary, hasEdns) : Silent(primary);
        }
    }

    /// <summary>Sends the query and reads the transfer; null if the reader has the result.</summary>
    private async Task<TransferFailure?> ReadAsync(StreamClient client, PrimaryQuery query, TransferReader reader,
        PeerAddress primary)
    {
        StreamStatus status = await client.ConnectAsync().ConfigureAwait(false);
        if (status != StreamStatus.Done) return Unreachable(primary, status);
        status = await client.SendAsync(query.Octets).ConfigureAwait(false);
        if (status != StreamStatus.Done) return Unreachable(primary, status);
        while (true)
        {
            StreamMessage message = await client.ReceiveAsync().ConfigureAwait(false);
            if (message.Status == StreamStatus.Done)
            {
                if (reader.Take(message.Octets.Span, Seconds) != TransferStep.More) return null;
                continue;
            }
            return EndOf(message.Status, reader, primary);
        }
    }

    private static TransferFailure EndOf(StreamStatus status, TransferReader reader,
        PeerAddress primary) => status switch
    {
        StreamStatus.TimedOut => new(
            TransferFailureKind.Unreachable,
            $"{primary.EndPoint} has sent less than {LeastOctets} octets in {SlowTime.TotalSeconds} s"),
        StreamStatus.Malformed =>
            new(TransferFailureKind.Malformed, "found a message of length 0, expected a longer one"),
        _ => new(TransferFailureKind.EndedEarly,
            $"the connection ended before the last SOA, after {reader.Records:N0} records"),
    };

    private StreamClient Connect(PeerAddress primary, TimeSpan messageTime) => new(
        PooledStream.Of(network, primary),
        new StreamClientOptions { SilenceTimeout = SlowTime, LeastOctets = LeastOctets, MessageTimeout = messageTime },
        clock, wheel);

    private PrimaryAnswer Read(PrimaryQuery query, ReadOnlySpan<byte> reply, PeerAddress primary, bool hasEdns)
    {
        _downUntil.TryRemove(primary.EndPoint, out _);
        SoaAnswer.TryRead(query, reply, Seconds, out SoaAnswer answer, out TransferFailure? failure);
        return new PrimaryAnswer(answer, failure, hasEdns);
    }

    private PrimaryAnswer Silent(PeerAddress primary)
    {
        _downUntil[primary.EndPoint] = clock.Now + DownFor.Ticks;
        return new(default, new(TransferFailureKind.Unreachable, $"{primary.EndPoint} does not answer"));
    }

    private static TransferFailure Unreachable(PeerAddress primary, StreamStatus status) => new(
        TransferFailureKind.Unreachable,
        status == StreamStatus.TimedOut
            ? $"no connection to {primary.EndPoint} in time" : $"no connection to {primary.EndPoint}");

    private static bool TryFindKey(PeerAddress primary, TsigKeyRing keys, out TsigKey? key,
        out TransferFailure? failure)
    {
        key = primary.Key is null ? null : keys.Find(primary.Key);
        failure = primary.Key is null || key is not null
            ? null : new(TransferFailureKind.Signature, $"there is no key {primary.Key}");
        return failure is null;
    }

    private ushort NextId() =>
        random is null
            ? (ushort)RandomNumberGenerator.GetInt32(ushort.MaxValue + 1) : (ushort)random.Next(ushort.MaxValue + 1);

    // Never a disposal: the reader may be in the middle of a message, whose buffer another connection would then fill.
    private static void Close(object? client) => ((StreamClient)client!).Close();
}
