namespace Dns.Transport.Tcp;

/// <summary>A stream whose first octets were received already, with the header of a proxy.</summary>
internal sealed class PrecededStream(IByteStream inner, ReadOnlyMemory<byte> first) : IByteStream
{
    private ReadOnlyMemory<byte> _first = first;

    public DnsTransport Transport => inner.Transport;

    public ValueTask<bool> OpenAsync() => inner.OpenAsync();

    public ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        if (_first.IsEmpty) return inner.ReceiveAsync(room);
        int octets = Math.Min(_first.Length, room.Length);
        _first[..octets].CopyTo(room);
        _first = _first[octets..];
        return new(octets);
    }

    public int TrySend(ReadOnlySpan<byte> octets) => inner.TrySend(octets);

    public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets) => inner.SendAsync(octets);

    public long? TakenOctets => inner.TakenOctets;

    public void Close() => inner.Close();

    public void Release() => inner.Release();
}
