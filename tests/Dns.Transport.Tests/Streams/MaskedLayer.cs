namespace Dns.Transport.Tests;

/// <summary>
/// Stands for TLS, on either side of a connection: the client greets with one octet, the server returns it, and every
/// other octet is masked. Sends no more than 1,000 octets at once, and every second time none without waiting.
/// </summary>
internal sealed class MaskedLayer(bool isClient = false) : IStreamLayer
{
    public const byte Greeting = 0x16;
    private const byte Mask = 0x5A;
    private const int MostAtOnce = 1000;

    private readonly bool _isClient = isClient;
    private int _released;

    /// <summary>How many streams have been released.</summary>
    public int Released => Volatile.Read(ref _released);

    /// <summary>The peer of the last stream.</summary>
    public ClientAddress LastPeer { get; private set; }

    public IByteStream Open(IByteStream inner, in ClientAddress peer, IStreamBuffers buffers)
    {
        LastPeer = peer;
        return new MaskedStream(this, inner, buffers);
    }

    /// <summary>Masks or unmasks octets.</summary>
    public static byte[] Apply(ReadOnlySpan<byte> octets)
    {
        byte[] masked = new byte[octets.Length];
        for (int i = 0; i < octets.Length; i++) masked[i] = (byte)(octets[i] ^ Mask);
        return masked;
    }

    private sealed class MaskedStream(MaskedLayer layer, IByteStream inner, IStreamBuffers buffers) : IByteStream
    {
        private readonly byte[] _greeting = buffers.TryRent(1)!;
        private readonly bool _isClient = layer._isClient;
        private int _tries;

        public DnsTransport Transport => DnsTransport.Tls;

        public async ValueTask<bool> OpenAsync()
        {
            if (!await inner.OpenAsync()) return false;
            _greeting[0] = Greeting;
            if (_isClient) await inner.SendAsync(_greeting.AsMemory(0, 1));
            if (await inner.ReceiveAsync(_greeting.AsMemory(0, 1)) != 1 || _greeting[0] != Greeting) return false;
            return _isClient || await inner.SendAsync(_greeting.AsMemory(0, 1)) == 1;
        }

        public async ValueTask<int> ReceiveAsync(Memory<byte> room)
        {
            int octets = await inner.ReceiveAsync(room);
            if (octets > 0) Apply(room.Span[..octets]).CopyTo(room);
            return octets;
        }

        public int TrySend(ReadOnlySpan<byte> octets) =>
            _tries++ % 2 == 1 ? 0 : inner.TrySend(Apply(octets[..Math.Min(octets.Length, MostAtOnce)]));

        public async ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets) =>
            await inner.SendAsync(Apply(octets.Span[..Math.Min(octets.Length, MostAtOnce)]));

        public long? TakenOctets => inner.TakenOctets;

        public void Close() => inner.Close();

        public void Release()
        {
            buffers.Return(_greeting);
            Interlocked.Increment(ref layer._released);
            inner.Release();
        }
    }
}
