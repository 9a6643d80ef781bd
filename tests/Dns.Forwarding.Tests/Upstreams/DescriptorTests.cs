using System.Net;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>The system gives no more sockets.</summary>
public class DescriptorTests
{
    [Fact]
    public void Sockets_that_are_open_serve_on_and_the_lack_is_said_once()
    {
        ForwarderRig rig = new(new() { SocketsPerUpstream = 64 });
        List<(IPEndPoint, string)> said = [];
        rig.Forwarder.SocketRefused = (upstream, fault) => said.Add((upstream, fault.Text));
        rig.Network.MaxPorts = 3;
        // More questions than three sockets are made for, in ten seconds.
        for (int i = 0; i < 1000; i++)
            Assert.Equal(ScriptedQuery.TrueAddress($"n{i}.example."), rig.Resolve($"n{i}.example").Result);
        Assert.Equal([(rig.Upstream.Address, "Too many open files")], said);
        Assert.InRange(rig.Forwarder.Counters.RefusedSockets, 2, 12);
        // A refused socket costs more than a query: it is not tried again for each.
        Assert.InRange(rig.Network.PortsWanted, 3, 3 + 13 * 8);
        rig.Network.MaxPorts = int.MaxValue;
        rig.Clock.Advance(1100);
        for (int i = 0; i < 200; i++) rig.Resolve($"m{i}.example");
        Assert.InRange(rig.Network.OpenPorts, 40, 64);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Without_any_socket_questions_fail_at_once_and_few_are_asked_for()
    {
        ForwarderRig rig = new();
        rig.Network.MaxPorts = 0;
        for (int i = 0; i < 100; i++) Assert.Equal("SERVFAIL 23", rig.Resolve($"n{i}.example").Result);
        Assert.InRange(rig.Network.PortsWanted, 1, 10);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_lack_of_sockets_is_said_once_for_each_upstream_and_takes_none_down()
    {
        ForwarderRig rig = new(upstreams: 2);
        List<IPEndPoint> said = [];
        rig.Forwarder.SocketRefused = (upstream, _) => said.Add(upstream);
        foreach (ScriptedUpstream upstream in rig.Upstreams)
            upstream.OpeningFault = new(IsUnreachable: false, "Address already in use");
        for (int i = 0; i < 100; i++)
        {
            rig.Resolve($"n{i}.example");
            rig.Clock.Advance(100);
        }
        Assert.Equal(rig.Upstreams.Select(upstream => upstream.Address), said);
        Assert.All(rig.Forwarder.Upstreams, status => Assert.Equal(UpstreamState.Up, status.State));
        Assert.Equal("SERVFAIL 23", rig.Resolve("www.example").Result);
    }

    [Fact]
    public async Task A_stream_without_a_socket_ends_like_one_that_cannot_be_opened()
    {
        EndedReceiver receiver = new();
        using StreamPath path = new(new NoStream(), receiver, IExceptionSink.None);
        Assert.True(path.TrySend([1, 2, 3]));
        path.Start();
        await receiver.Ended.Task.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.False(path.TrySend([1, 2, 3]));
    }

    /// <summary>A stream for which no descriptor was left.</summary>
    private sealed class NoStream : IByteStream
    {
        public ValueTask<bool> OpenAsync() => new(false);

        public ValueTask<int> ReceiveAsync(Memory<byte> room) => throw new InvalidOperationException();

        public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets) => throw new InvalidOperationException();

        public void Close()
        {
        }
    }

    private sealed class EndedReceiver : IPathReceiver
    {
        public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void Receive(ReadOnlySpan<byte> octets) => Assert.Fail("nothing can come");

        public void End() => Ended.SetResult();
    }
}
