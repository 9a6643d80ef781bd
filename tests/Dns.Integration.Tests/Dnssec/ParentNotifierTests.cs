using System.Net;
using System.Net.Sockets;
using Dns.Testing;
using Microsoft.Extensions.Logging;

namespace Dns.Integration.Tests;

/// <summary>
/// Notifications of CDS records go to the server that the parent names: over sockets, to a parent of the test's own.
/// </summary>
[Trait("RFC", "9859 4")]
public sealed class ParentNotifierTests : ILogger<SigningLog>, IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);
    private static readonly DomainName Zone = DomainName.Parse("a.example");

    private readonly UdpClient _resolver = new(new IPEndPoint(IPAddress.Loopback, 0)),
        _parent = new(new IPEndPoint(IPAddress.Loopback, 0));
    private readonly TaskCompletionSource<string> _logged = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly NotifySender _sender = new(new SocketNetwork(), new MonotonicClock(TimeProvider.System), _ => []);
    private readonly ParentNotifier _notifier;

    public ParentNotifierTests() =>
        _notifier = new ParentNotifier(SchemeNetwork.Create(), _sender, TimeProvider.System, new SigningLog(this));

    public void Dispose()
    {
        _notifier.Dispose();
        _sender.Dispose();
        _resolver.Dispose();
        _parent.Dispose();
    }

    private static IPEndPoint EndpointOf(UdpClient server) => (IPEndPoint)server.Client.LocalEndPoint!;

    /// <summary>Answers as a resolver does that knows one DSYNC record and one address.</summary>
    private async Task ResolveAsync(bool hasRecord)
    {
        while (true)
        {
            UdpReceiveResult query;
            try
            {
                query = await _resolver.ReceiveAsync();
            }
            catch (Exception error) when (error is SocketException or ObjectDisposedException)
            {
                return;
            }
            await _resolver.SendAsync(Answer(query.Buffer, hasRecord), query.RemoteEndPoint);
        }
    }

    private byte[] Answer(byte[] query, bool hasRecord)
    {
        byte[] room = new byte[1232], name = new byte[WireName.MaxOctets];
        Assert.True(MessageReader.TryOpen(query, out MessageReader reader));
        Assert.True(reader.TryReadQuestion(out QuestionReader question));
        Assert.True(question.TryExpandName(name, out int octets));
        MessageWriter writer = new(room, names: null);
        writer.WriteHeader(reader.Id, MessageHeader.QueryResponse);
        writer.TryWriteQuestion(name.AsSpan(0, octets), question.Type, RRClass.IN);
        int port = EndpointOf(_parent).Port;
        byte[]? rdata = question.Type switch
        {
            RRType.DSYNC when hasRecord =>
                [0, 59, 1, (byte)(port >> 8), (byte)port, .. DomainName.Parse("scan.example").Octets],
            RRType.A => [127, 0, 0, 1],
            _ => null,
        };
        if (rdata is not null)
            writer.TryWrite(MessageSection.Answer, name.AsSpan(0, octets), question.Type, RRClass.IN, 60, rdata);
        else writer.TryWrite(MessageSection.Authority, DomainName.Parse("example").Octets, RRType.SOA, RRClass.IN, 60,
            new byte[22]);
        return room[..writer.Finish()];
    }

    [Fact]
    public async Task The_server_of_the_DSYNC_record_is_notified_and_its_answer_taken()
    {
        Task resolving = ResolveAsync(hasRecord: true);
        _notifier.Notify(new ZoneSlot(Zone), EndpointOf(_resolver));
        UdpReceiveResult notify = await _parent.ReceiveAsync().WaitAsync(Patience);
        Assert.True(MessageReader.TryOpen(notify.Buffer, out MessageReader reader));
        Assert.Equal((Opcode.Notify, false), (reader.Opcode, reader.IsResponse));
        Assert.True(reader.TryReadQuestion(out QuestionReader question));
        Assert.Equal(RRType.CDS, question.Type);
        Assert.True(question.TryGetName(out ReadOnlySpan<byte> name));
        Assert.True(WireName.EqualsIgnoreCase(name, Zone.Octets));
        Assert.Equal($"Parent of zone a.example.: notifying {EndpointOf(_parent)} of CDS",
            await _logged.Task.WaitAsync(Patience));
        notify.Buffer[2] |= 0x80;
        await _parent.SendAsync(notify.Buffer, notify.RemoteEndPoint);
        // After an answer nothing is left to be retransmitted.
        Assert.True(SpinWait.SpinUntil(() => _sender.Pending == 0, Patience));
        Assert.Equal((1L, 0L), (_sender.Counters.Answered, _sender.Counters.Unanswered));
        _resolver.Dispose();
        await resolving.WaitAsync(Patience);
    }

    [Fact]
    public async Task A_parent_that_names_nobody_is_not_notified()
    {
        _ = ResolveAsync(hasRecord: false);
        _notifier.Notify(new ZoneSlot(Zone), EndpointOf(_resolver));
        Assert.Equal("Parent of zone a.example.: it takes no notifications", await _logged.Task.WaitAsync(Patience));
        Assert.Equal(0, _sender.Pending);
    }

    IDisposable? ILogger.BeginScope<TState>(TState state) => null;

    bool ILogger.IsEnabled(LogLevel level) => true;

    void ILogger.Log<TState>(LogLevel level, EventId id, TState state, Exception? exception,
        Func<TState, Exception?, string> format) =>
        _logged.TrySetResult(format(state, exception));
}
