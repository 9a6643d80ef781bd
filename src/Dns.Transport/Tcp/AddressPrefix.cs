namespace Dns.Transport.Tcp;

/// <summary>An address or its network, as an allocation-free dictionary key.</summary>
/// <remarks>
/// Clients choose their IPv6 addresses, so the hash is keyed with random secrets: a sum of products of the four 32-bit
/// words with 64-bit factors, of which the upper half is used (Thorup, "High speed hashing for integers and strings",
/// vector multiply-shift). Any two addresses collide with probability 2^-31.
/// </remarks>
internal readonly record struct AddressPrefix(ulong High, ulong Low)
{
    private static readonly Factors Secret = Factors.Draw();

    /// <summary>The whole address.</summary>
    public static AddressPrefix Client(ref ClientAddress client)
    {
        ReadOnlySpan<byte> octets = client.Address;
        return new AddressPrefix(
            BinaryPrimitives.ReadUInt64BigEndian(octets), BinaryPrimitives.ReadUInt64BigEndian(octets[8..]));
    }

    /// <summary>The /24 of an IPv4 address or the /56 of an IPv6 address, commonly one subscriber.</summary>
    public static AddressPrefix Network(ref ClientAddress client)
    {
        AddressPrefix whole = Client(ref client);
        return client.IsIPv4
            ? whole with { Low = whole.Low & ~0xFFUL }
            : new AddressPrefix(whole.High & ~0xFFUL, 0);
    }

    public override int GetHashCode() => Hash(in Secret);

    internal int Hash(in Factors factors)
    {
        ulong sum = factors.Addend;
        sum += factors.First * (High >> 32) + factors.Second * (uint)High;
        sum += factors.Third * (Low >> 32) + factors.Fourth * (uint)Low;
        return (int)(sum >> 32);
    }

    internal readonly record struct Factors(ulong Addend, ulong First, ulong Second, ulong Third, ulong Fourth)
    {
        public static Factors Draw()
        {
            Span<ulong> drawn = stackalloc ulong[5];
            SystemRandom.Fill(MemoryMarshal.AsBytes(drawn));
            return new Factors(drawn[0], drawn[1], drawn[2], drawn[3], drawn[4]);
        }
    }
}
