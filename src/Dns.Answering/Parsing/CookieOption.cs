namespace Dns.Answering.Parsing;

/// <summary>The state of a query's COOKIE option.</summary>
public enum CookieState : byte
{
    /// <summary>There is none, or it is ignored.</summary>
    None,

    /// <summary>Its length is invalid (RFC 7873 §5.2.2).</summary>
    Malformed,

    /// <summary>A client cookie, alone or with a server cookie of another format.</summary>
    ClientOnly,

    /// <summary>With a server cookie of our format, not checked yet or wrong.</summary>
    WithServerCookie,

    /// <summary>With a valid server cookie: the client's address is proven.</summary>
    Valid,
}

/// <summary>The COOKIE option of a query (RFC 7873 §4, RFC 9018 §4), later replaced by that of the answer.</summary>
/// <remarks><code>
/// client     8 octets
/// server     8 bits version 1 | 24 bits reserved | 32 bits timestamp | 64 bits hash
/// </code>
/// Words hold octets in little-endian order, as SipHash takes them.</remarks>
internal struct CookieOption
{
    /// <summary>A client cookie and a server cookie of version 1.</summary>
    internal const int LengthOctets = 24;

    private const int ClientOctets = 8;
    private const int LeastServerOctets = 8;
    private const int MostOctets = 40;

    internal ulong Client;

    /// <summary>Version, reserved bits and timestamp.</summary>
    internal ulong Head;

    internal ulong Hash;
    internal CookieState State;

    /// <summary>Reads the data of the option; of several options the first counts.</summary>
    internal void Read(ReadOnlySpan<byte> data)
    {
        if (State != CookieState.None) return;
        if (data.Length != ClientOctets && data.Length is < ClientOctets + LeastServerOctets or > MostOctets)
        {
            State = CookieState.Malformed;
            return;
        }
        Client = BinaryPrimitives.ReadUInt64LittleEndian(data);
        State = CookieState.ClientOnly;
        if (data.Length != LengthOctets) return;
        Head = BinaryPrimitives.ReadUInt64LittleEndian(data[8..]);
        Hash = BinaryPrimitives.ReadUInt64LittleEndian(data[16..]);
        State = CookieState.WithServerCookie;
    }

    internal readonly void Write(Span<byte> data)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(data, Client);
        BinaryPrimitives.WriteUInt64LittleEndian(data[8..], Head);
        BinaryPrimitives.WriteUInt64LittleEndian(data[16..], Hash);
    }
}
