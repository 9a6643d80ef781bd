namespace Dns.Protocol.Messages;

/// <summary>A question of a message (RFC 1035 §4.1.2). Borrows the message.</summary>
/// <remarks><code>
/// QNAME     1 to 255 octets; a pointer can only lead to an earlier question
/// QTYPE     16 bits
/// QCLASS    16 bits
/// </code></remarks>
public readonly ref struct QuestionReader
{
    /// <summary>QTYPE and QCLASS.</summary>
    internal const int FixedOctets = 4;

    private readonly ReadOnlySpan<byte> _message;

    internal QuestionReader(ReadOnlySpan<byte> message, int nameOffset, int nameEnd)
    {
        _message = message;
        NameOffset = nameOffset;
        EndOffset = nameEnd + FixedOctets;
        uint fixedPart = BinaryPrimitives.ReadUInt32BigEndian(message[nameEnd..]);
        Type = (RRType)(fixedPart >> 16);
        Class = (RRClass)(ushort)fixedPart;
    }

    /// <summary>The offset of the name.</summary>
    public int NameOffset { get; }

    /// <summary>The offset behind the question.</summary>
    public int EndOffset { get; }

    /// <summary>QTYPE.</summary>
    public RRType Type { get; }

    /// <summary>QCLASS.</summary>
    public RRClass Class { get; }

    /// <summary>Reads the name as a lookup key.</summary>
    /// <returns>False if it is malformed.</returns>
    public bool TryReadName(ref LookupName name)
    {
        int position = NameOffset;
        return name.TryExpand(_message, ref position);
    }

    /// <summary>The uncompressed name in the message.</summary>
    /// <returns>False if it is compressed or malformed: the first question of a message cannot be compressed.</returns>
    public bool TryGetName(out ReadOnlySpan<byte> name)
    {
        name = _message[NameOffset..(EndOffset - FixedOctets)];
        return WireName.IsValid(name);
    }

    /// <summary>Copies the name in its letter case, uncompressed.</summary>
    /// <param name="destination">At least 255 octets.</param>
    /// <returns>False if it is malformed.</returns>
    public bool TryExpandName(Span<byte> destination, out int octets)
    {
        int position = NameOffset;
        return WireName.TryExpand(_message, ref position, destination, out octets);
    }
}
