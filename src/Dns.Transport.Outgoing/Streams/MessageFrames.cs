using System.Buffers;

namespace Dns.Transport.Outgoing.Streams;

/// <summary>
/// Splits a stream into messages with a two-octet length prefix (RFC 1035 §4.2.2). The rented buffer doubles when an
/// incomplete message fills it, so memory is used for received octets and not for announced lengths.
/// </summary>
internal sealed class MessageFrames
{
    private const int PrefixOctets = 2;
    private const int FirstBytes = 4096;

    private byte[] _buffer = [];
    private int _start;
    private int _end;

    /// <summary>The number of octets not taken yet.</summary>
    public int Left => _end - _start;

    /// <summary>The room to receive into. Invalidates messages taken before: remaining octets are moved.</summary>
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

    /// <summary>Adds octets received into <see cref="Room"/>.</summary>
    public void Advance(int octets) => _end += octets;

    /// <summary>Takes the first message; false if it is incomplete. Valid until the next <see cref="Room"/>.</summary>
    /// <param name="length">The announced length; -1 if the prefix is incomplete.</param>
    public bool TryTake(out ReadOnlyMemory<byte> message, out int length)
    {
        message = default;
        length = Left < PrefixOctets ? -1 : BinaryPrimitives.ReadUInt16BigEndian(_buffer.AsSpan(_start));
        if (length < 0 || Left < PrefixOctets + length) return false;
        message = _buffer.AsMemory(_start + PrefixOctets, length);
        _start += PrefixOctets + length;
        return true;
    }

    /// <summary>Returns the buffer.</summary>
    public void Close()
    {
        if (_buffer.Length > 0) ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
        _start = _end = 0;
    }
}
