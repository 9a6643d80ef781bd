using System.Net;
using System.Security.Cryptography;
using Dns.Protocol;
using Dns.Transport.Outgoing;

namespace Dns.Replication;

/// <summary>Queries servers for DS RRsets: over datagrams, and over a stream if the answer is truncated or missing. Thread-safe.</summary>
public sealed class DsClient : IDisposable
{
    private static readonly TimeSpan SilenceTimeout = TimeSpan.FromSeconds(5);

    private readonly PrimaryNetwork _network;
    private readonly MonotonicClock _clock;
    private readonly TimingWheel _wheel;

    /// <summary>Creates a client.</summary>
    /// <param name="network">The network.</param>
    /// <param name="time">The clock.</param>
    public DsClient(PrimaryNetwork network, TimeProvider time)
    {
        _network = network;
        _clock = new MonotonicClock(time);
        _wheel = new TimingWheel(_clock);
    }

    /// <summary>Queries a server. Never throws for a server's fault; takes 15 s at most.</summary>
    /// <param name="server">A resolver, or a server of the parent.</param>
    /// <param name="zone">The zone.</param>
    /// <param name="cancellation">Cancels the query.</param>
    public async Task<DsAnswer> AskAsync(IPEndPoint server, DomainName zone, CancellationToken cancellation)
    {
        using PrimaryQuery query = Write(zone);
        byte[]? reply = await DatagramQuestion.AskAsync(
            _network.Datagrams, server, query, _clock.Provider, isDown: false, cancellation).ConfigureAwait(false);
        if (reply is not null && (MessageHeader.Flags(reply) & MessageHeader.Truncated) == 0) return DsAnswer.Read(query, reply);
        if (cancellation.IsCancellationRequested) return DsAnswer.Failed("it was ended");
        using PrimaryQuery again = Write(zone);
        return await AskOverStreamAsync(server, again, cancellation).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Dispose() => _wheel.Dispose();

    private static PrimaryQuery Write(DomainName zone) => PrimaryQuery.Write(
        (ushort)RandomNumberGenerator.GetInt32(ushort.MaxValue + 1), zone, RRType.DS, null, hasEdns: false, key: null, 0,
        MessageHeader.RecursionDesired);

    private async Task<DsAnswer> AskOverStreamAsync(IPEndPoint server, PrimaryQuery query, CancellationToken cancellation)
    {
        StreamClientOptions options = new() { SilenceTimeout = SilenceTimeout, ConnectTimeout = SilenceTimeout };
        StreamClient client = new(_network.OpenStream(server), options, _clock, _wheel);
        await using (client.ConfigureAwait(false))
        {
            await using CancellationTokenRegistration end = cancellation.UnsafeRegister(
                static client => _ = ((StreamClient)client!).DisposeAsync().AsTask(), client);
            if (await client.ConnectAsync().ConfigureAwait(false) != StreamStatus.Done
                || await client.SendAsync(query.Octets).ConfigureAwait(false) != StreamStatus.Done) return Silent(server);
            StreamMessage message = await client.ReceiveAsync().ConfigureAwait(false);
            return message.Status == StreamStatus.Done ? DsAnswer.Read(query, message.Octets.Span) : Silent(server);
        }
    }

    private static DsAnswer Silent(IPEndPoint server) => DsAnswer.Failed($"{server} does not answer");
}
