namespace Dns.Protocol.Edns;

/// <summary>Cursor over the options of OPT (RFC 6891 §6.1.2): <see cref="TryRead"/> moves to the next.</summary>
/// <remarks>
/// <code>
/// OPTION-CODE     16 bits
/// OPTION-LENGTH   16 bits, octets
/// OPTION-DATA     OPTION-LENGTH octets
/// </code>
/// Borrows the octets; never allocates, never throws.
/// </remarks>
public ref struct EdnsOptionReader(ReadOnlySpan<byte> options)
{
    /// <summary>Code and length.</summary>
    public const int HeadOctets = 4;

    private ReadOnlySpan<byte> _rest = options;

    /// <summary>The code of the option.</summary>
    public EdnsOptionCode Code { get; private set; }

    /// <summary>Its data.</summary>
    public ReadOnlySpan<byte> Data { get; private set; }

    /// <summary>Whether all options were read; false after a malformed one.</summary>
    public readonly bool IsAtEnd => _rest.IsEmpty;

    /// <summary>Moves to the next option.</summary>
    /// <returns>False behind the last, or if an option is malformed; see <see cref="IsAtEnd"/>.</returns>
    public bool TryRead()
    {
        ReadOnlySpan<byte> rest = _rest;
        if (rest.Length < HeadOctets) return false;
        uint head = BinaryPrimitives.ReadUInt32BigEndian(rest);
        int length = (ushort)head;
        if (length > rest.Length - HeadOctets) return false;
        Code = (EdnsOptionCode)(ushort)(head >> 16);
        Data = rest.Slice(HeadOctets, length);
        _rest = rest[(HeadOctets + length)..];
        return true;
    }
}
