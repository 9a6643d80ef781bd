namespace Dns.Forwarding.Tests;

/// <summary>
/// A stream of a <see cref="ScriptedNetwork"/>. Replies arrive in pieces of the size that the upstream's script says.
/// </summary>
internal sealed class ScriptedStream(ScriptedNetwork network, ScriptedUpstream? upstream) : IByteStream
{
    private readonly List<byte> _sent = [];
    private readonly Queue<ReadOnlyMemory<byte>> _arrived = [];
    private readonly TaskCompletionSource<bool> _opening = new();
    private readonly TaskCompletionSource<int> _unread = new();
    private TaskCompletionSource<int>? _receive;
    private Memory<byte> _room;
    private bool _isEnded;
    private bool _isClosed;

    /// <summary>Queries that came over it.</summary>
    public int Queries { get; private set; }

    public ValueTask<bool> OpenAsync()
    {
        network.OnConnecting?.Invoke();
        bool isRefused = upstream is null || upstream.RefusesStreams;
        network.Clock.Plan(
            TimeSpan.FromMilliseconds(isRefused ? 1 : 0), () => _opening.TrySetResult(!isRefused && !_isClosed));
        return new(_opening.Task);
    }

    public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets)
    {
        if (_isEnded || _isClosed) return new(IByteStream.Failed);
        if (upstream is { ReadsNoStreams: true }) return new(_unread.Task);
        _sent.AddRange(octets.Span);
        while (_sent.Count >= 2 && _sent.Count >= 2 + (_sent[0] << 8 | _sent[1]))
        {
            int end = 2 + (_sent[0] << 8 | _sent[1]);
            byte[] message = [.. _sent.Take(end).Skip(2)];
            _sent.RemoveRange(0, end);
            Queries++;
            upstream?.Take(message, 0, this);
        }
        return new(octets.Length);
    }

    public ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        if (_isClosed) return new(IByteStream.Failed);
        (_room, _receive) = (room, new TaskCompletionSource<int>());
        ValueTask<int> receive = new(_receive.Task);
        if (_isEnded) _receive.SetResult(0);
        return receive;
    }

    /// <summary>The upstream closes it.</summary>
    public void Close(TimeSpan delay) => network.Clock.Plan(delay, () =>
    {
        _isEnded = true;
        _receive?.TrySetResult(0);
    });

    /// <summary>Octets are on their way.</summary>
    public void Deliver(byte[] octets, TimeSpan delay, int pieceOctets) => network.Clock.Plan(delay, () =>
    {
        foreach (byte[] piece in octets.Chunk(pieceOctets)) _arrived.Enqueue(piece);
        while (!_isEnded && !_isClosed && _receive is { Task.IsCompleted: false } && _arrived.Count > 0) Arrive();
    });

    public void Close()
    {
        _isClosed = true;
        network.Clock.Plan(TimeSpan.Zero, () =>
        {
            _opening.TrySetResult(false);
            _receive?.TrySetResult(IByteStream.Failed);
            _unread.TrySetResult(IByteStream.Failed);
        });
    }

    private void Arrive()
    {
        ReadOnlyMemory<byte> piece = _arrived.Dequeue();
        int octets = Math.Min(piece.Length, _room.Length);
        piece[..octets].CopyTo(_room);
        if (octets < piece.Length)
        {
            ReadOnlyMemory<byte>[] later = [piece[octets..], .. _arrived];
            _arrived.Clear();
            foreach (ReadOnlyMemory<byte> one in later) _arrived.Enqueue(one);
        }
        _receive!.SetResult(octets);
    }
}
