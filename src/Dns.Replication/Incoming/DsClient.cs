using System.Security.Cryptography;

namespace Dns.Replication.Incoming;

/// <summary>
/// Queries servers for DS RRsets, and for the records that lead to a parent: over datagrams, and over a stream if the
/// answer is truncated or missing. Thread-safe.
/// </summary>
public sealed class DsClient : IDisposable
{
    private static readonly TimeSpan SilenceTimeout = TimeSpan.FromSeconds(5), StreamTimeout = 2 * SilenceTimeout;

    private readonly IOutgoingNetwork _network;
    private readonly MonotonicClock _clock;
    private readonly TimingWheel _wheel;

    /// <summary>Creates a client.</summary>
    public DsClient(IOutgoingNetwork network, TimeProvider time)
    {
        _network = network;
        _clock = new MonotonicClock(time);
        _wheel = new TimingWheel(_clock);
    }

    /// <summary>Queries a server. Never throws for a server's fault; takes 15 s at most.</summary>
    /// <param name="server">A resolver, or a server of the parent.</param>
    public async Task<DsAnswer> QueryDsAsync(PeerAddress server, DomainName zone, CancellationToken cancellation)
    {
        (PrimaryQuery query, byte[]? reply) = await QueryAsync(server, zone, RRType.DS, cancellation)
            .ConfigureAwait(false);
        if (reply is not null) return DsAnswer.Read(query, reply);
        return DsAnswer.Failed(cancellation.IsCancellationRequested ? "it was ended" : $"{server} does not answer");
    }

    /// <summary>Queries an RRset. Never throws for a server's fault; takes 15 s at most.</summary>
    /// <returns>The query and its reply, which over a stream may be any octets; null for none.</returns>
    internal async Task<(PrimaryQuery Query, byte[]? Reply)> QueryAsync(
        PeerAddress server, DomainName name, RRType type, CancellationToken cancellation)
    {
        PrimaryQuery query = Write(name, type);
        byte[]? reply = await DatagramQuestion.QueryAsync(
            _network, server, query, _clock.Provider, isDown: false, cancellation).ConfigureAwait(false);
        if (reply is not null && !PrimaryQuery.IsCut(reply)) return (query, reply);
        if (cancellation.IsCancellationRequested) return (query, null);
        query = Write(name, type);
        return (query, await QueryOverStreamAsync(server, query, cancellation).ConfigureAwait(false));
    }

    /// <inheritdoc/>
    public void Dispose() => _wheel.Dispose();

    // Without a key there is nothing to dispose.
    private static PrimaryQuery Write(DomainName name, RRType type) => PrimaryQuery.Write(
        (ushort)RandomNumberGenerator.GetInt32(ushort.MaxValue + 1), name, type, null, hasEdns: false, key: null, 0,
        MessageHeader.RecursionDesired);

    private async Task<byte[]?> QueryOverStreamAsync(PeerAddress server, PrimaryQuery query,
        CancellationToken cancellation)
    {
        StreamClientOptions options = new() { SilenceTimeout = SilenceTimeout, ConnectTimeout = SilenceTimeout };
        StreamClient client = new(PooledStream.Of(_network, server), options, _clock, _wheel);
        await using (client.ConfigureAwait(false))
        {
            // A server that sends an octet now and then is never silent.
            using CancellationTokenSource limit = new(StreamTimeout, _clock.Provider);
            StreamMessage message;
            await using (cancellation.UnsafeRegister(End, client).ConfigureAwait(false))
            await using (limit.Token.UnsafeRegister(End, client).ConfigureAwait(false))
            {
                if (await client.ConnectAsync().ConfigureAwait(false) != StreamStatus.Done
                    || await client.SendAsync(query.Octets).ConfigureAwait(false) != StreamStatus.Done) return null;
                message = await client.ReceiveAsync().ConfigureAwait(false);
            }
            return message.Status == StreamStatus.Done ? message.Octets.ToArray() : null;
        }
    }

    private static void End(object? client) => ((StreamClient)client!).Close();
}
