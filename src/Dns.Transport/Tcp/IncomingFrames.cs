namespace Dns.Transport.Tcp;

/// <summary>The state of the first frame in the received octets.</summary>
internal enum FrameStatus
{
    /// <summary>No octets.</summary>
    None,

    /// <summary>An incomplete frame.</summary>
    Partial,

    /// <summary>A complete message.</summary>
    Whole,

    /// <summary>A length of zero, which is malformed.</summary>
    Empty,
}

/// <summary>
/// Splits a stream into messages with a two-octet length prefix (RFC 1035 §4.2.2). The rented buffer doubles when an
/// incomplete message fills it: memory is used for received octets, not for announced lengths.
/// </summary>
internal sealed class IncomingFrames
{
    /// <summary>The size of the buffer that a connection always holds.</summary>
    public const int SmallBytes = 2048;

    private const int PrefixOctets = 2;

    private IStreamBuffers _buffers = null!;
    private byte[] _buffer = [];
    private int _start;
    private int _end;

    /// <summary>Whether a PROXY header must precede the first message.</summary>
    public bool AwaitsProxy { get; private set; }

    /// <summary>Rents the small buffer. False if memory is short.</summary>
    public bool TryOpen(IStreamBuffers buffers, bool awaitsProxy = false)
    {
        AwaitsProxy = awaitsProxy;
        _buffers = buffers;
        _buffer = buffers.TryRent(SmallBytes) ?? [];
        _start = _end = 0;
        return _buffer.Length > 0;
    }

    public void Close()
    {
        if (_buffer.Length > 0)
        {
            _buffers.Return(_buffer);
            _buffer = [];
        }
    }

    /// <summary>The buffer to receive into; empty if none could be rented. Moves octets: take messages first.</summary>
    public Memory<byte> Room()
    {
        int left = _end - _start;
        int wanted = left == _buffer.Length ? Math.Min(NextFrameOctets(), 2 * left)
            : left < SmallBytes ? SmallBytes : _buffer.Length;
        if (wanted != _buffer.Length && TryMoveTo(wanted)) return _buffer.AsMemory(_end);
        if (_start > 0)
        {
            _buffer.AsSpan(_start.._end).CopyTo(_buffer);
            (_start, _end) = (0, left);
        }
        return _buffer.AsMemory(_end);
    }

    /// <summary>Takes all octets, which are of a layer.</summary>
    public byte[] TakeAll()
    {
        byte[] octets = _buffer[_start.._end];
        _start = _end = 0;
        return octets;
    }

    /// <summary>Adds octets received into <see cref="Room"/>.</summary>
    public void Advance(int octets) => _end += octets;

    /// <summary>Whether there is a complete message, a length of zero, or a PROXY header, valid or not.</summary>
    public bool HasFrame
    {
        get
        {
            if (AwaitsProxy)
            {
                ClientAddress unused = default;
                return ReadProxy(ref unused, out _) != ProxyHeaderStatus.Partial;
            }
            int wanted = NextFrameOctets();
            return wanted > 0 && (wanted == PrefixOctets || _end - _start >= wanted);
        }
    }

    /// <summary>Takes the PROXY header; <see cref="FrameStatus.Empty"/> if malformed: the connection ends.</summary>
    /// <param name="client">Replaced by the client's address in the header.</param>
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

    /// <summary>Takes the first message, valid until the next <see cref="Room"/>.</summary>
    public FrameStatus TryTake(out ReadOnlySpan<byte> message)
    {
        message = default;
        int available = _end - _start;
        if (available < PrefixOctets) return available == 0 ? FrameStatus.None : FrameStatus.Partial;
        int length = BinaryPrimitives.ReadUInt16BigEndian(_buffer.AsSpan(_start));
        if (length == 0) return FrameStatus.Empty;
        if (available < PrefixOctets + length) return FrameStatus.Partial;
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
        if (_buffers.TryRent(octets) is not byte[] buffer) return false;
        int left = _end - _start;
        _buffer.AsSpan(_start, left).CopyTo(buffer);
        _buffers.Return(_buffer);
        (_buffer, _start, _end) = (buffer, 0, left);
        return true;
    }
}
