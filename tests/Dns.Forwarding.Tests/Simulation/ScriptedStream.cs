namespace Dns.Forwarding.Tests;

/// <summary>
/// A stream of a <see cref="ScriptedNetwork"/>. Replies arrive in pieces of the size that the upstream's script says.
/// </summary>
internal sealed class ScriptedStream : IStreamPath
{
    private readonly ScriptedNetwork _network;
    private readonly ScriptedUpstream? _upstream;
    private readonly IPathReceiver _receiver;
    private readonly List<byte> _sent = [];
    private bool _isEnded;
    private bool _isDisposed;

    public ScriptedStream(ScriptedNetwork network, ScriptedUpstream? upstream, IPathReceiver receiver)
    {
        _network = network;
        _upstream = upstream;
        _receiver = receiver;
        if (upstream is null || upstream.RefusesStreams) Close(TimeSpan.FromMilliseconds(1));
    }

    /// <summary>Queries that came over it.</summary>
    public int Queries { get; private set; }

    public bool TrySend(ReadOnlySpan<byte> octets)
    {
        if (_isEnded || _isDisposed || _upstream is { ReadsNoStreams: true }) return false;
        _sent.AddRange(octets);
        while (_sent.Count >= 2 && _sent.Count >= 2 + (_sent[0] << 8 | _sent[1]))
        {
            int end = 2 + (_sent[0] << 8 | _sent[1]);
            byte[] message = [.. _sent.Take(end).Skip(2)];
            _sent.RemoveRange(0, end);
            Queries++;
            _upstream?.Take(message, 0, this);
        }
        return true;
    }

    /// <summary>The upstream closes it.</summary>
    public void Close(TimeSpan delay) => _network.Clock.Plan(delay, End);

    /// <summary>Octets are on their way.</summary>
    public void Deliver(byte[] octets, TimeSpan delay, int pieceOctets) => _network.Clock.Plan(delay, () =>
    {
        foreach (byte[] piece in octets.Chunk(pieceOctets))
            if (!_isEnded && !_isDisposed) _receiver.Receive(piece);
    });

    public void Dispose()
    {
        if (_isDisposed) return;
        _isDisposed = true;
        _network.Clock.Plan(TimeSpan.Zero, End);
    }

    private void End()
    {
        if (_isEnded) return;
        _isEnded = true;
        _receiver.End();
    }
}
