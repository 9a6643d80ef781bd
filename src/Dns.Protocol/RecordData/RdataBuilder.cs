namespace Dns.Protocol.RecordData;

/// <summary>Builds RDATA from text, and holds the first error.</summary>
/// <remarks>Borrows the destination. Writes return false, with <see cref="Expected"/> set, when it is full.</remarks>
internal ref struct RdataBuilder(Span<byte> destination)
{
    public const int MaxOctets = ushort.MaxValue;

    private readonly Span<byte> _destination = destination[..Math.Min(destination.Length, MaxOctets)];

    public int Length { get; private set; }

    /// <summary>What was expected at the reader's token; null without an error.</summary>
    public string? Expected { get; private set; }

    public readonly Span<byte> Written => _destination[..Length];

    /// <summary>The remaining room; see <see cref="Advance"/>.</summary>
    public readonly Span<byte> Room => _destination[Length..];

    /// <summary>Adds octets written into <see cref="Room"/>.</summary>
    public void Advance(int octets) => Length += octets;

    /// <summary>Sets <see cref="Expected"/>, unless it is set, and returns false.</summary>
    public bool Fail(string expected)
    {
        Expected ??= expected;
        return false;
    }

    public bool TryWrite(byte value)
    {
        if (!TryReserve(sizeof(byte), out Span<byte> room)) return false;
        room[0] = value;
        return true;
    }

    public bool TryWrite(ushort value)
    {
        if (!TryReserve(sizeof(ushort), out Span<byte> room)) return false;
        BinaryPrimitives.WriteUInt16BigEndian(room, value);
        return true;
    }

    public bool TryWrite(uint value)
    {
        if (!TryReserve(sizeof(uint), out Span<byte> room)) return false;
        BinaryPrimitives.WriteUInt32BigEndian(room, value);
        return true;
    }

    public bool TryWrite(scoped ReadOnlySpan<byte> octets)
    {
        if (!TryReserve(octets.Length, out Span<byte> room)) return false;
        octets.CopyTo(room);
        return true;
    }

    public bool TryReserve(int octets, out Span<byte> room)
    {
        if (_destination.Length - Length < octets)
        {
            room = default;
            return Fail("no more than 65535 octets of RDATA");
        }
        room = _destination.Slice(Length, octets);
        Length += octets;
        return true;
    }
}
