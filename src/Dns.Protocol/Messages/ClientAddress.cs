namespace Dns.Protocol.Messages;

/// <summary>The source of a query: 16 octets of IPv6 (IPv4 as ::ffff:a.b.c.d) and a port. Allocation-free.</summary>
public struct ClientAddress : IEquatable<ClientAddress>
{
    [InlineArray(16)]
    private struct Octets
    {
        private byte _first;
    }

    private Octets _address;

    /// <summary>The source port, 0 to 65535.</summary>
    public ushort Port { get; set; }

    /// <summary>The address in network order; IPv4 mapped (RFC 4291 §2.5.5.2). Writable by the transport.</summary>
    [System.Diagnostics.CodeAnalysis.UnscopedRef]
    public Span<byte> Address => _address;

    /// <summary>Whether the address is IPv4.</summary>
    public readonly bool IsIPv4
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            ReadOnlySpan<byte> octets = _address;
            return MemoryMarshal.Read<ulong>(octets) == 0 &&
                BinaryPrimitives.ReadUInt32BigEndian(octets[8..]) == 0xFFFF;
        }
    }

    /// <summary>Sets an IPv4 address from its four octets in network order.</summary>
    public void SetIPv4(ReadOnlySpan<byte> fourOctets)
    {
        Span<byte> octets = _address;
        octets[..10].Clear();
        octets[10] = octets[11] = 0xFF;
        fourOctets[..4].CopyTo(octets[12..]);
    }

    /// <summary>Sets an IPv6 address from its sixteen octets in network order.</summary>
    public void SetIPv6(ReadOnlySpan<byte> sixteenOctets) => sixteenOctets[..16].CopyTo(_address);

    /// <summary>Converts an end point. Allocates; not for the query path.</summary>
    public static ClientAddress From(IPEndPoint endPoint)
    {
        ClientAddress client = default;
        client.SetIPv6(endPoint.Address.MapToIPv6().GetAddressBytes());
        client.Port = (ushort)endPoint.Port;
        return client;
    }

    /// <summary>Converts to an end point. Allocates; not for the query path.</summary>
    public readonly IPEndPoint ToEndPoint()
    {
        IPAddress address = new((ReadOnlySpan<byte>)_address);
        return new IPEndPoint(IsIPv4 ? address.MapToIPv4() : address, Port);
    }

    /// <inheritdoc/>
    public readonly bool Equals(ClientAddress other) =>
        Port == other.Port && ((ReadOnlySpan<byte>)_address).SequenceEqual(other._address);

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is ClientAddress other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode()
    {
        HashCode hash = default;
        hash.AddBytes(_address);
        hash.Add(Port);
        return hash.ToHashCode();
    }

    /// <inheritdoc/>
    public override readonly string ToString() => ToEndPoint().ToString();
}
