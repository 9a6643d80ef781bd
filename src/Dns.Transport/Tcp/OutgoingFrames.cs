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
/// (<see cref="TryKeep"/>). Answers that come later gather in <see cref="LaterFrames"/> and are taken over together.
/// </remarks>
internal sealed class OutgoingFrames
{
    private const int PrefixOctets = 2;
    private const int LargestFrame = PrefixOctets + ushort.MaxValue;
    private const int BufferBytes = 128 * 1024;

    private ArrayPool<byte> _pool = ArrayPool<byte>.Shared;
    private IStreamBuffers _buffers = null!;
    private byte[] _buffer = [];
    private bool _isKept;
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
        (_buffer, _end, _isKept) = (buffer, octets, true);
    }

    /// <summary>
    /// Moves what is unsent into a buffer that the connection may hold while it waits. False when there is no room for it.
    /// </summary>
    public bool TryKeep()
    {
        if (_isKept)
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

    /// <summary>Gives the buffer back, whatever is in it.</summary>
    public void Close()
    {
        if (_isKept)
        {
            _buffers.Return(_buffer);
        }
        else if (_buffer.Length > 0)
        {
            _pool.Return(_buffer);
        }

        _buffer = [];
        _isKept = false;
        _start = _end = 0;
    }
}
