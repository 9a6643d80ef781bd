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
/// buffer is rented: small while messages are small. It doubles when it is full of a message that is not whole: a length
/// that is announced costs nothing, only octets that have arrived do.
/// </summary>
internal sealed class IncomingFrames
{
    /// <summary>The buffer that a connection has for as long as it stands.</summary>
    public const int SmallBytes = 2048;

    private const int PrefixOctets = 2;

    private IStreamBuffers _buffers = null!;
    private byte[] _buffer = [];
    private int _start;
    private int _end;

    /// <summary>Whether a proxy's header must come before the first message.</summary>
    public bool AwaitsProxy { get; private set; }

    /// <summary>Rents the small buffer. False when there is no room for it.</summary>
    public bool TryOpen(IStreamBuffers buffers, bool awaitsProxy = false)
    {
        AwaitsProxy = awaitsProxy;
        _buffers = buffers;
        _buffer = buffers.TryRent(SmallBytes) ?? [];
        _start = _end = 0;
        return _buffer.Length > 0;
    }

    /// <summary>Gives the buffer back.</summary>
    public void Close()
    {
        if (_buffer.Length > 0)
        {
            _buffers.Return(_buffer);
            _buffer = [];
        }
    }

    /// <summary>
    /// Where to receive next; empty only when no buffer could be had. Moves what is left to the front, so take messages
    /// first.
    /// </summary>
    public Memory<byte> Room()
    {
        int left = _end - _start;
        int wanted = left == _buffer.Length ? Math.Min(NextFrameOctets(), 2 * left)
            : left < SmallBytes ? SmallBytes : _buffer.Length;
        if (wanted != _buffer.Length && TryMoveTo(wanted))
        {
            return _buffer.AsMemory(_end);
        }

        if (_start > 0)
        {
            _buffer.AsSpan(_start.._end).CopyTo(_buffer);
            (_start, _end) = (0, left);
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

    private bool TryMoveTo(int octets)
    {
        if (_buffers.TryRent(octets) is not byte[] buffer)
        {
            return false;
        }

        int left = _end - _start;
        _buffer.AsSpan(_start, left).CopyTo(buffer);
        _buffers.Return(_buffer);
        (_buffer, _start, _end) = (buffer, 0, left);
        return true;
    }
}
