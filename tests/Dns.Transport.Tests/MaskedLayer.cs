using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>
/// Stands for TLS: a greeting of one octet comes before the first octets of the client, and every octet is masked.
/// Sends no more than 1,000 octets at once, and every second time none without waiting.
/// </summary>
internal sealed class MaskedLayer : IStreamLayer
{
    public const byte Greeting = 0x16;
    private const byte Mask = 0x5A;
    private const int MostAtOnce = 1000;

    private readonly SocketLayer _sockets = new();
    private int _released;

    /// <summary>How many streams have been released.</summary>
    public int Released => Volatile.Read(ref _released);

    public IStreamTransport Open(Socket socket) => new MaskedTransport(this, _sockets.Open(socket));

    /// <summary>Masks or unmasks octets.</summary>
    public static byte[] Apply(ReadOnlySpan<byte> octets)
    {
        byte[] masked = new byte[octets.Length];
        for (int i = 0; i < octets.Length; i++) masked[i] = (byte)(octets[i] ^ Mask);
        return masked;
    }

    private sealed class MaskedTransport(MaskedLayer layer, IStreamTransport inner) : IStreamTransport
    {
        private bool _isOpen;
        private int _tries;

        public DnsTransport Transport => DnsTransport.Tls;

        public async ValueTask<int> ReceiveAsync(Memory<byte> room)
        {
            if (!_isOpen)
            {
                byte[] greeting = new byte[1];
                if (await inner.ReceiveAsync(greeting) != 1 || greeting[0] != Greeting) return IStreamTransport.Failed;
                _isOpen = true;
            }

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
            Interlocked.Increment(ref layer._released);
            inner.Release();
        }
    }
}
