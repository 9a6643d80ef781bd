namespace Dns.Transport.Tests.Outgoing;

/// <summary>A stream in memory: each step waits until the test completes it, or the stream is closed.</summary>
internal sealed class PausedStream : IByteStream
{
    private readonly TaskCompletionSource<bool> _connected = new();
    private TaskCompletionSource<int>? _receive;
    private TaskCompletionSource<int>? _send;
    private Memory<byte> _room;

    public bool IsDisposed { get; private set; }

    /// <summary>Octets that a send takes at once; 0 = it waits.</summary>
    public int TakesAtOnce { get; set; } = int.MaxValue;

    public List<byte> Sent { get; } = [];

    public bool IsReceiving => _receive is { Task.IsCompleted: false };

    public int RoomOctets => _room.Length;

    public void Connect(bool isGood = true) => _connected.TrySetResult(isGood);

    /// <summary>Has octets arrive at the receive that waits; none are the end.</summary>
    public void Arrive(params byte[] octets)
    {
        octets.CopyTo(_room);
        _receive!.SetResult(octets.Length);
    }

    public ValueTask<bool> OpenAsync() => new(_connected.Task);

    public ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        if (IsDisposed) return new(IByteStream.Failed);
        _room = room;
        _receive = new TaskCompletionSource<int>();
        return new(_receive.Task);
    }

    public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets)
    {
        if (IsDisposed) return new(IByteStream.Failed);
        int taken = Math.Min(octets.Length, TakesAtOnce);
        Sent.AddRange(octets[..taken].ToArray());
        if (taken > 0) return new(taken);
        _send = new TaskCompletionSource<int>();
        return new(_send.Task);
    }

    public void Close()
    {
        IsDisposed = true;
        _connected.TrySetResult(false);
        _receive?.TrySetResult(IByteStream.Failed);
        _send?.TrySetResult(IByteStream.Failed);
    }
}
