namespace Dns.Transport.Tests;

/// <summary>
/// A listener of one worker that is held up inside the responder while datagrams gather.
/// </summary>
internal sealed class BusyRig : IAsyncDisposable
{
    private readonly ManualResetEventSlim _reading = new();
    private readonly ManualResetEventSlim _goOn = new();

    public BusyRig(
        bool segment = false, string address = "127.0.0.1:0", UdpSetup? setup = null,
        Func<TransportOptions, TransportOptions>? with = null)
    {
        TestResponder responder = new()
        {
            Answering = () =>
            {
                _reading.Set();
                Assert.True(_goOn.Wait(UdpRig.TimeoutMs));
            },
        };
        Rig = new UdpRig(
            setup ?? UdpListenerKind.Batched, address, responder, options =>
            {
                options = options with { Workers = 1, SegmentationOffload = segment };
                return with is null ? options : with(options);
            });
        Rig.Client.Send(TestResponder.Query(0));
        Assert.True(_reading.Wait(UdpRig.TimeoutMs));
    }

    public UdpRig Rig { get; }

    public void Queue(int count, int octets = 40)
    {
        for (int i = 1; i <= count; i++)
        {
            Rig.Client.Send(TestResponder.Query((ushort)i, octets));
        }
    }

    public void GoOn() => _goOn.Set();

    /// <summary>Holds the worker up once more, at a query of ID 0.</summary>
    public void HoldAgain()
    {
        _reading.Reset();
        _goOn.Reset();
        Rig.Client.Send(TestResponder.Query(0));
        Assert.True(_reading.Wait(UdpRig.TimeoutMs));
    }

    public void ReceiveAll(int count)
    {
        GoOn();
        int[] sent = [.. Enumerable.Range(0, count + 1)];
        Assert.Equal(sent, sent.Select(_ => (int)Rig.ReceiveId(Rig.Client)).ToArray().Order());
    }

    public async ValueTask DisposeAsync()
    {
        GoOn();
        await Rig.DisposeAsync();
    }
}
