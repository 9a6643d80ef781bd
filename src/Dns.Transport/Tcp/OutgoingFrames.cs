using System.Buffers;

namespace Dns.Transport.Tcp;

/// <summary>
/// The write queue of a connection: length-prefixed answers in one rented buffer, sent with as few calls as possible.
/// The buffer bounds what a client that does not read can hold.
/// </summary>
/// <remarks>
/// Used by the connection's loop only. Immediate answers are written in place (<see cref="Reserve"/>, <see
/// cref="Commit"/>) into a buffer for the largest answer, which is not held while the connection waits: an unsent rest
/// moves into a buffer of its size (<see cref="TryKeep"/>). A reply of several messages has its own buffer (<see
/// cref="ReserveInStream"/>). Deferred replies are collected in <see cref="PendingReplies"/> and adopted together.
/// </remarks>
internal sealed class OutgoingFrames
{
    private const int PrefixOctets = 2;
    private const int LargestFrame = PrefixOctets + ushort.MaxValue;
    private const int BufferBytes = 128 * 1024;
    private const int SmallestRoom = 512;

    private ArrayPool<byte> _pool = ArrayPool<byte>.Shared;
    private IStreamBuffers _buffers = null!;
    private byte[] _buffer = [];
    private Holding _holding;
    private byte[] _streaming = [];
    private int _start;
    private int _end;

    /// <summary>Starts a new use.</summary>
    /// <param name="pool">The pool of buffers that are not held while the connection waits.</param>
    public void Open(ArrayPool<byte> pool, IStreamBuffers buffers)
    {
        _pool = pool;
        _buffers = buffers;
    }

    /// <summary>Whether the largest answer still fits.</summary>
    public bool HasRoom => _buffer.Length == 0 || BufferBytes - _end >= LargestFrame;

    public Memory<byte> Unsent => _buffer.AsMemory(_start.._end);

    /// <summary>Room for a message of 65,535 octets. Requires <see cref="HasRoom"/>.</summary>
    public Span<byte> Reserve()
    {
        if (_buffer.Length == 0)
        {
            _buffer = _pool.Rent(BufferBytes);
            _start = _end = 0;
        }
        return _buffer.AsSpan(_end + PrefixOctets, ushort.MaxValue);
    }

    /// <summary>Rents a buffer for messages of any length, held by the connection. False if memory is short.</summary>
    public bool TryOpenStream()
    {
        if (_streaming.Length == 0) _streaming = _buffers.TryRent(LargestFrame) ?? [];
        return _streaming.Length > 0;
    }

    /// <summary>Returns that buffer. Requires that nothing is unsent.</summary>
    public void CloseStream()
    {
        Close();
        if (_streaming.Length > 0)
        {
            _buffers.Return(_streaming);
            _streaming = [];
        }
    }

    /// <summary>Room in that buffer: at least 512 octets, or empty. Requires that nothing else is unsent.</summary>
    public Span<byte> ReserveInStream()
    {
        if (_holding != Holding.Streaming)
        {
            Close();
            (_buffer, _holding) = (_streaming, Holding.Streaming);
        }
        int left = LargestFrame - _end - PrefixOctets;
        return left < SmallestRoom ? default : _buffer.AsSpan(_end + PrefixOctets, left);
    }

    /// <summary>Commits the first octets of the last reserved room as an answer.</summary>
    public void Commit(int octets)
    {
        BinaryPrimitives.WriteUInt16BigEndian(_buffer.AsSpan(_end), (ushort)octets);
        _end += PrefixOctets + octets;
    }

    /// <summary>Takes over a buffer of complete frames. Requires that nothing is unsent.</summary>
    public void Adopt(byte[] buffer, int octets)
    {
        Close();
        (_buffer, _end, _holding) = (buffer, octets, Holding.Kept);
    }

    /// <summary>Moves unsent octets into a buffer to hold while waiting. False if memory is short.</summary>
    public bool TryKeep()
    {
        if (_holding != Holding.Nothing) return true;
        int octets = _end - _start;
        if (_buffers.TryRent(octets) is not byte[] kept) return false;
        _buffer.AsSpan(_start, octets).CopyTo(kept);
        Adopt(kept, octets);
        return true;
    }

    /// <summary>Removes sent octets; an empty queue returns its buffer.</summary>
    public void MarkSent(int octets)
    {
        _start += octets;
        if (_start == _end) Close();
    }

    /// <summary>Returns the buffer with its contents, except that of a sequence.</summary>
    public void Close()
    {
        if (_holding == Holding.Kept)
        {
            _buffers.Return(_buffer);
        }
        else if (_holding == Holding.Nothing && _buffer.Length > 0)
        {
            _pool.Return(_buffer);
        }
        _buffer = [];
        _holding = Holding.Nothing;
        _start = _end = 0;
    }

    /// <summary>How the current buffer is accounted.</summary>
    private enum Holding
    {
        /// <summary>Not held: returned to the pool after the turn.</summary>
        Nothing,

        /// <summary>Rented for unsent octets.</summary>
        Kept,

        /// <summary>The buffer of sequences.</summary>
        Streaming,
    }
}
