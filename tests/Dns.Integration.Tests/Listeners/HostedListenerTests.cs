using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests.Listeners;

/// <summary>A listener of another project, which is no friend of the transports, in a set of listeners.</summary>
public sealed class HostedListenerTests
{
    private static readonly ListenerAddress Loopback = new IPEndPoint(IPAddress.Loopback, 0);

    private static TransportOptions OptionsOf(params ListenerAddress[] addresses) => new()
    {
        Listeners = addresses,
        Factories = new Dictionary<ListenerKind, IListenerFactory>(new TransportOptions().Factories)
        {
            [ListenerKind.Http] = new HostedListener.Factory(),
        },
    };

    [Fact]
    public async Task It_serves_a_query_a_deferred_reply_and_a_sequence_beside_plain_DNS()
    {
        await using ListenerSet set = ListenerSet.Bind(
            OptionsOf(Loopback, Loopback with { Kind = ListenerKind.Http }), out IReadOnlyList<BindFailure> failures);
        Assert.Empty(failures);
        Assert.Equal([ListenerKind.Plain, ListenerKind.Http], set.Listeners.Select(listener => listener.Kind));
        Assert.Equal(1, set.Handles.Count(handle => handle.Kind == ListenerKind.Http));
        KindResponder responder = new();
        set.Start(responder);
        using HttpClient client = new() { BaseAddress = new Uri($"http://{set.EndPoints[1]}/") };
        Assert.Equal(["1: now"], await AskAsync(client, KindResponder.Immediate));
        Assert.Equal(["2: later"], await AskAsync(client, KindResponder.Deferred));
        Assert.Equal(["3: first", "3: second", "3: third"], await AskAsync(client, KindResponder.Sequence));
        Assert.Equal(1, responder.Disposed);
        Assert.Empty(await AskAsync(client, KindResponder.Silent));
        Assert.Equal(DnsTransport.Https, responder.LastOrigin.Transport);
        Assert.True(IPAddress.IsLoopback(responder.LastOrigin.Client.ToEndPoint().Address));
        using Socket plain = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        plain.ReceiveTimeout = 60_000;
        plain.Connect(set.EndPoints[0]);
        plain.Send(KindResponder.Query(KindResponder.Immediate));
        Assert.Equal(6, plain.Receive(new byte[512]));
        Assert.True(SpinWait.SpinUntil(
            () => set.ReadTcpCounters() is { Received: 4, Sent: 5, Accepted: 1 }, 60_000));
        Assert.True(set.IsAccepting);
    }

    [Fact]
    public async Task A_sequence_that_fails_ends_the_connection_and_a_client_that_goes_ends_its_sequence()
    {
        await using ListenerSet set = ListenerSet.Bind(OptionsOf(Loopback with { Kind = ListenerKind.Http }), out _);
        KindResponder responder = new();
        set.Start(responder);
        using HttpClient client = new() { BaseAddress = new Uri($"http://{set.EndPoints[0]}/") };
        await Assert.ThrowsAnyAsync<Exception>(() => AskAsync(client, KindResponder.Broken));
        Assert.True(SpinWait.SpinUntil(() => responder.Disposed == 1, 60_000));
        int before = responder.Pulled;
        using (CancellationTokenSource gone = new())
        {
            Task<string[]> waiting = AskAsync(client, KindResponder.Endless, gone.Token);
            Assert.True(SpinWait.SpinUntil(() => responder.Pulled > before, 60_000));
            await gone.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        }
        Assert.True(SpinWait.SpinUntil(() => responder.Disposed == 2, 60_000));
    }

    [Fact]
    public async Task Its_connections_are_within_the_limits_of_all_connections()
    {
        TransportOptions options = OptionsOf(Loopback with { Kind = ListenerKind.Http }) with
        {
            Tcp = new TcpLimits { MaxConnectionsPerClient = 1 },
        };
        await using ListenerSet set = ListenerSet.Bind(options, out _);
        KindResponder responder = new();
        set.Start(responder);
        Uri address = new($"http://{set.EndPoints[0]}/");
        using HttpClient first = new() { BaseAddress = address }, second = new() { BaseAddress = address };
        Assert.Equal(["1: now"], await AskAsync(first, KindResponder.Immediate));
        Assert.True(SpinWait.SpinUntil(() => set.ReadTcpCounters().Received == 1, 60_000));
        // The idle connection makes room; the one that is busy does not.
        using CancellationTokenSource gone = new();
        Task<string[]> waiting = AskAsync(second, KindResponder.Endless, gone.Token);
        Assert.True(SpinWait.SpinUntil(() => responder.Pulled > 0, 60_000));
        Assert.Equal((2, 1, 1), Counts(set));
        await Assert.ThrowsAnyAsync<HttpRequestException>(() => AskAsync(first, KindResponder.Immediate));
        TcpCounters counters = set.ReadTcpCounters();
        Assert.Equal((2, 1), (counters.Accepted, counters.Open));
        Assert.NotEqual(0, counters.Refused);
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.True(SpinWait.SpinUntil(() => set.ReadTcpCounters().Open == 0, 60_000));

        static (long Accepted, long Evicted, int Open) Counts(ListenerSet set)
        {
            TcpCounters counters = set.ReadTcpCounters();
            return (counters.Accepted, counters.Evicted, counters.Open);
        }
    }

    [Fact]
    public async Task Its_port_is_in_use_like_any_other()
    {
        using PortLease port = PortLease.Take();
        ListenerAddress address = new(port.Loopback, ListenerKind.Http);
        await using ListenerSet set = ListenerSet.Bind(OptionsOf(address), out _);
        await using ListenerSet other = ListenerSet.Bind(OptionsOf(address), out IReadOnlyList<BindFailure> failures);
        Assert.Equal(BindFailureKind.AddressInUse, Assert.Single(failures).Kind);
    }

    /// <summary>The messages of a reply as text.</summary>
    private static async Task<string[]> AskAsync(HttpClient client, byte kind, CancellationToken gone = default)
    {
        using ByteArrayContent query = new(KindResponder.Query(kind));
        using HttpResponseMessage response = await client.PostAsync("", query, gone);
        byte[] octets = await response.Content.ReadAsByteArrayAsync(gone);
        List<string> messages = [];
        for (int start = 0; start < octets.Length;)
        {
            int length = octets[start] << 8 | octets[start + 1];
            messages.Add(System.Text.Encoding.ASCII.GetString(octets, start + 2, length));
            start += 2 + length;
        }
        return [.. messages];
    }
}
