using System.Buffers;
using System.Buffers.Binary;

namespace Dns.Transport.Outgoing;

/// <summary>
/// Cuts the octets of a stream into messages, each after its length in two octets (RFC 1035 §4.2.2). The rented buffer
/// doubles when it is full of a message that is not whole: a length that is announced costs nothing, only octets that have
/// arrived do.
/// </summary>
internal sealed class MessageFrames
{
    private const int PrefixOctets = 2;
    private const int FirstBytes = 4096;

    private byte[] _buffer = [];
    private int _start;
    private int _end;

    /// <summary>Octets that wait to be taken.</summary>
    public int Left => _end - _start;

    /// <summary>Where to receive next. Moves what is left to the front, so that messages taken before are gone.</summary>
    public Memory<byte> Room()
    {
        int left = Left;
        if (left == _buffer.Length)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(FirstBytes, 2 * left));
            _buffer.AsSpan(_start..).CopyTo(larger);
            Close();
            (_buffer, _end) = (larger, left);
        }
        else if (_start > 0)
        {
            _buffer.AsSpan(_start..).CopyTo(_buffer);
            (_start, _end) = (0, left);
        }
        return _buffer.AsMemory(_end);
    }

    /// <summary>Counts octets received into the room.</summary>
    public void Advance(int octets) => _end += octets;

    /// <summary>Takes the message at the front; false when it is not whole. It stays valid until the next <see cref="Room"/>.</summary>
    /// <param name="message">The message.</param>
    /// <param name="length">The length that is announced; -1 when not even that is there.</param>
    public bool TryTake(out ReadOnlyMemory<byte> message, out int length)
    {
        message = default;
        length = Left < PrefixOctets ? -1 : BinaryPrimitives.ReadUInt16BigEndian(_buffer.AsSpan(_start));
        if (length < 0 || Left < PrefixOctets + length) return false;
        message = _buffer.AsMemory(_start + PrefixOctets, length);
        _start += PrefixOctets + length;
        return true;
    }

    /// <summary>Gives the buffer back.</summary>
    public void Close()
    {
        if (_buffer.Length > 0) ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
        _start = _end = 0;
    }
}
