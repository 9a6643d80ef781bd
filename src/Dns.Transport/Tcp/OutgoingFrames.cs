using System.Buffers;
using System.Buffers.Binary;

namespace Dns.Transport;

/// <summary>
/// The write queue of a connection: whole answers, each after its length, side by side in one rented buffer
/// that goes out with as few sends as the client takes. The buffer bounds what a client that does not read
/// can hold.
/// </summary>
/// <remarks>
/// Only the loop of the connection uses it. Answers made at once are written here in place
/// (<see cref="Reserve"/>, <see cref="Commit"/>) into a buffer that has room for the largest answer, and which the
/// connection must not hold while it waits: what a send has left over moves into one of its size
/// (<see cref="TryKeep"/>). A reply of several messages has a buffer of its own while it runs
/// (<see cref="ReserveInStream"/>). Deferred replies gather in <see cref="PendingReplies"/> and are taken over together.
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

    /// <summary>Begins a new use.</summary>
    /// <param name="pool">Where buffers come from that are not held while the connection waits.</param>
    /// <param name="buffers">Where the others come from.</param>
    public void Open(ArrayPool<byte> pool, IStreamBuffers buffers)
    {
        _pool = pool;
        _buffers = buffers;
    }

    /// <summary>Whether the largest answer there is would still fit.</summary>
    public bool HasRoom => _buffer.Length == 0 || BufferBytes - _end >= LargestFrame;

    /// <summary>What has not been sent.</summary>
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

    /// <summary>
    /// Has a buffer for a message of any length that the connection holds from now on. False when there is no room for it.
    /// </summary>
    public bool TryOpenStream()
    {
        if (_streaming.Length == 0)
        {
            _streaming = _buffers.TryRent(LargestFrame) ?? [];
        }

        return _streaming.Length > 0;
    }

    /// <summary>Gives that buffer back. Requires that nothing is unsent.</summary>
    public void CloseStream()
    {
        Close();
        if (_streaming.Length > 0)
        {
            _buffers.Return(_streaming);
            _streaming = [];
        }
    }

    /// <summary>
    /// What is left of the room for one largest message in the buffer of the stream, at least 512 octets; empty when there is less.
    /// Requires that nothing else is unsent.
    /// </summary>
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

    /// <summary>Makes the first octets of the room reserved last an answer to send.</summary>
    public void Commit(int octets)
    {
        BinaryPrimitives.WriteUInt16BigEndian(_buffer.AsSpan(_end), (ushort)octets);
        _end += PrefixOctets + octets;
    }

    /// <summary>Takes over a buffer of whole frames that the connection holds. Requires that nothing is unsent.</summary>
    public void Adopt(byte[] buffer, int octets)
    {
        Close();
        (_buffer, _end, _holding) = (buffer, octets, Holding.Kept);
    }

    /// <summary>
    /// Moves what is unsent into a buffer that the connection may hold while it waits. False when there is no room for it.
    /// </summary>
    public bool TryKeep()
    {
        if (_holding != Holding.Nothing)
        {
            return true;
        }

        int octets = _end - _start;
        if (_buffers.TryRent(octets) is not byte[] kept)
        {
            return false;
        }

        _buffer.AsSpan(_start, octets).CopyTo(kept);
        Adopt(kept, octets);
        return true;
    }

    /// <summary>Counts octets as sent; an empty queue gives its buffer back.</summary>
    public void MarkSent(int octets)
    {
        _start += octets;
        if (_start == _end)
        {
            Close();
        }
    }

    /// <summary>Gives the buffer back, whatever is in it; that of a stream stays.</summary>
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

    /// <summary>What the connection holds of the buffer in use.</summary>
    private enum Holding
    {
        /// <summary>Nothing: it goes back to the pool with the turn.</summary>
        Nothing,

        /// <summary>It was rented for what is unsent.</summary>
        Kept,

        /// <summary>It is that of the stream.</summary>
        Streaming,
    }
}
