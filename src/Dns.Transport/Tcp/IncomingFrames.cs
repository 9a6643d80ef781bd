using System.Buffers;
using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Transport;

/// <summary>What frame lies at the front of the octets received.</summary>
internal enum FrameStatus
{
    /// <summary>No octets are left over.</summary>
    None,

    /// <summary>A frame has begun and is not whole.</summary>
    Partial,

    /// <summary>A whole message.</summary>
    Whole,

    /// <summary>A length of zero, which announces no message.</summary>
    Empty,
}

/// <summary>
/// Cuts the octets of a connection into messages, each after its length in two octets (RFC 1035 §4.2.2). The
/// buffer is rented: small while messages are small, large for as long as one needs it.
/// </summary>
internal sealed class IncomingFrames
{
    private const int PrefixOctets = 2;
    private const int SmallBytes = 2048;
    private const int LargeBytes = PrefixOctets + ushort.MaxValue;

    private ArrayPool<byte> _pool = ArrayPool<byte>.Shared;
    private byte[] _buffer = [];
    private int _start;
    private int _end;

    /// <summary>Whether a proxy's header must come before the first message.</summary>
    public bool AwaitsProxy { get; private set; }

    /// <summary>Rents the small buffer.</summary>
    public void Open(ArrayPool<byte> pool, bool awaitsProxy = false)
    {
        AwaitsProxy = awaitsProxy;
        _pool = pool;
        _buffer = pool.Rent(SmallBytes);
        _start = _end = 0;
    }

    /// <summary>Gives the buffer back.</summary>
    public void Close()
    {
        if (_buffer.Length > 0)
        {
            _pool.Return(_buffer);
            _buffer = [];
        }
    }

    /// <summary>
    /// Where to receive next; never empty. Moves what is left to the front, so take messages first.
    /// </summary>
    public Memory<byte> Room()
    {
        int wanted = NextFrameOctets() > SmallBytes ? LargeBytes : SmallBytes;
        if (wanted > _buffer.Length || (wanted == SmallBytes && _buffer.Length >= LargeBytes))
        {
            MoveTo(_pool.Rent(wanted));
        }
        else if (_start > 0)
        {
            _buffer.AsSpan(_start.._end).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }

        return _buffer.AsMemory(_end);
    }

    /// <summary>Counts octets received into the room.</summary>
    public void Advance(int octets) => _end += octets;

    /// <summary>
    /// Whether there is something to answer or to end for: a whole message, a length of zero, or a proxy's
    /// header, good or not.
    /// </summary>
    public bool HasFrame
    {
        get
        {
            if (AwaitsProxy)
            {
                ClientAddress nobody = default;
                return ReadProxy(ref nobody, out _) != ProxyHeaderStatus.Partial;
            }

            int wanted = NextFrameOctets();
            return wanted > 0 && (wanted == PrefixOctets || _end - _start >= wanted);
        }
    }

    /// <summary>
    /// Takes the header of a proxy. A malformed one counts as <see cref="FrameStatus.Empty"/>: nothing can follow.
    /// </summary>
    /// <param name="client">Replaced by the client that the header names.</param>
    public FrameStatus TryTakeProxy(ref ClientAddress client)
    {
        ProxyHeaderStatus status = ReadProxy(ref client, out int octets);
        if (status != ProxyHeaderStatus.Whole)
        {
            return status == ProxyHeaderStatus.Malformed ? FrameStatus.Empty
                : _end == _start ? FrameStatus.None : FrameStatus.Partial;
        }

        AwaitsProxy = false;
        _start += octets;
        return FrameStatus.Whole;
    }

    /// <summary>Takes the message at the front. It stays valid until the next <see cref="Room"/>.</summary>
    public FrameStatus TryTake(out ReadOnlySpan<byte> message)
    {
        message = default;
        int available = _end - _start;
        if (available < PrefixOctets)
        {
            return available == 0 ? FrameStatus.None : FrameStatus.Partial;
        }

        int length = BinaryPrimitives.ReadUInt16BigEndian(_buffer.AsSpan(_start));
        if (length == 0)
        {
            return FrameStatus.Empty;
        }

        if (available < PrefixOctets + length)
        {
            return FrameStatus.Partial;
        }

        message = _buffer.AsSpan(_start + PrefixOctets, length);
        _start += PrefixOctets + length;
        return FrameStatus.Whole;
    }

    private ProxyHeaderStatus ReadProxy(ref ClientAddress client, out int octets) =>
        ProxyHeader.Read(_buffer.AsSpan(_start.._end), ref client, out octets);

    private int NextFrameOctets() => AwaitsProxy || _end - _start < PrefixOctets
        ? 0
        : PrefixOctets + BinaryPrimitives.ReadUInt16BigEndian(_buffer.AsSpan(_start));

    private void MoveTo(byte[] buffer)
    {
        int left = _end - _start;
        _buffer.AsSpan(_start, left).CopyTo(buffer);
        _pool.Return(_buffer);
        (_buffer, _start, _end) = (buffer, 0, left);
    }
}
