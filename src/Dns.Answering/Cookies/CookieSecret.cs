namespace Dns.Answering.Cookies;

/// <summary>The 128-bit secret of server cookies (RFC 9018 §4.4). Servers behind one address share it.</summary>
public readonly struct CookieSecret
{
    /// <summary>Length of a secret.</summary>
    public const int LengthOctets = 16;

    private readonly ulong _key0, _key1;

    /// <summary>Copies a secret of sixteen octets.</summary>
    public CookieSecret(ReadOnlySpan<byte> octets)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(octets.Length, LengthOctets, nameof(octets));
        _key0 = BinaryPrimitives.ReadUInt64LittleEndian(octets);
        _key1 = BinaryPrimitives.ReadUInt64LittleEndian(octets[8..]);
    }

    /// <summary>A random secret.</summary>
    public static CookieSecret Draw()
    {
        Span<byte> octets = stackalloc byte[LengthOctets];
        SystemRandom.Fill(octets);
        return new CookieSecret(octets);
    }

    /// <summary>RFC 9018 §4.4: hash of client cookie, version, reserved, time, address (4 or 16 octets).</summary>
    internal ulong Hash(ulong clientCookie, ulong head, ref ClientAddress client)
    {
        SipHash hash = new(_key0, _key1);
        hash.Add(clientCookie);
        hash.Add(head);
        ReadOnlySpan<byte> address = client.Address;
        if (client.IsIPv4) return hash.Finish(BinaryPrimitives.ReadUInt32LittleEndian(address[12..]) | 20UL << 56);
        hash.Add(BinaryPrimitives.ReadUInt64LittleEndian(address));
        hash.Add(BinaryPrimitives.ReadUInt64LittleEndian(address[8..]));
        return hash.Finish(32UL << 56);
    }
}
