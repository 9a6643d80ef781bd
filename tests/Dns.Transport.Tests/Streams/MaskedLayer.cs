using System.Runtime.CompilerServices;

namespace Dns.Transport.Tests;

/// <summary>
/// Stands for TLS, on either side of a connection: the client greets with one octet, the server returns it, and every
/// other octet is masked. A record has no more than 1,000 octets; every second time none is sent without waiting.
/// </summary>
internal sealed class MaskedLayer(bool isClient = false) : IStreamLayer
{
    public const byte Greeting = 0x16;
    private const byte Mask = 0x5A;
    private const int RecordOctets = 1000;

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
        // The record that is sent, or the greeting; empty if memory is short.
        private readonly byte[] _record = buffers.TryRent(RecordOctets) ?? [];
        private readonly bool _isClient = layer._isClient;
        private int _start, _end;
        private int _tries;

        public DnsTransport Transport => DnsTransport.Tls;

        public async ValueTask<bool> OpenAsync()
        {
            if (_record.Length == 0 || !await inner.OpenAsync()) return false;
            Memory<byte> greeting = _record.AsMemory(0, 1);
            _record[0] = Greeting;
            if (_isClient) await inner.SendAsync(greeting);
            if (await inner.ReceiveAsync(greeting) != 1 || _record[0] != Greeting) return false;
            return _isClient || await inner.SendAsync(greeting) == 1;
        }

        public async ValueTask<int> ReceiveAsync(Memory<byte> room)
        {
            int octets = await inner.ReceiveAsync(room);
            if (octets > 0) Apply(room.Span[..octets]).CopyTo(room);
            return octets;
        }

        public int TrySend(ReadOnlySpan<byte> octets)
        {
            if (_tries++ % 2 == 1) return 0;
            Seal(octets);
            int sent = inner.TrySend(_record.AsSpan(_start.._end));
            if (sent == IByteStream.Failed) return sent;
            _start += sent;
            return Taken();
        }

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
        public async ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets)
        {
            Seal(octets.Span);
            while (_start < _end)
            {
                int sent = await inner.SendAsync(_record.AsMemory(_start.._end));
                if (sent <= 0) return IByteStream.Failed;
                _start += sent;
            }
            return Taken();
        }

        public long? TakenOctets => inner.TakenOctets;

        public void Close() => inner.Close();

        public void Release()
        {
            if (_record.Length > 0) buffers.Return(_record);
            Interlocked.Increment(ref layer._released);
            inner.Release();
        }

        /// <summary>Masks a record, unless the rest of an earlier one is to be sent: it has the same octets.</summary>
        private void Seal(ReadOnlySpan<byte> octets)
        {
            if (_end > 0) return;
            _end = Math.Min(octets.Length, RecordOctets);
            Apply(octets[.._end]).CopyTo(_record, 0);
        }

        /// <summary>The octets of the record once the inner stream has all of it, else 0.</summary>
        private int Taken()
        {
            if (_start < _end) return 0;
            int taken = _end;
            _start = _end = 0;
            return taken;
        }
    }
}
