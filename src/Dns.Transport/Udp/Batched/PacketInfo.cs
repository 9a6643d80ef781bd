using System.Net.Sockets;

namespace Dns.Transport.Udp.Batched;

/// <summary>
/// The control message with the local address that a datagram was sent to and, on send, the address that the answer
/// leaves from. It is sent back as received, except for the interface.
/// </summary>
/// <remarks>
/// <code>
/// 8 length | 4 level | 4 type | IPv4: 4 interface | 4 local address | 4 destination
///                             | IPv6: 16 destination | 4 interface
/// </code>
/// </remarks>
internal static class PacketInfo
{
    public const int IPv4Octets = 28;
    public const int IPv6Octets = 36;

    private const int LevelIPv4 = 0;
    private const int LevelIPv6 = 41;
    private const int OptionIPv4 = 8;
    private const int OptionIPv6 = 49;
    private const int TypeIPv4 = 8;
    private const int TypeIPv6 = 50;
    private const int Data = 16;

    /// <summary>Enables the control message on a Linux socket.</summary>
    public static void Request(Socket socket)
    {
        bool v6 = socket.AddressFamily == AddressFamily.InterNetworkV6;
        int on = 1;
        socket.SetRawSocketOption(
            v6 ? LevelIPv6 : LevelIPv4, v6 ? OptionIPv6 : OptionIPv4,
            MemoryMarshal.AsBytes(new ReadOnlySpan<int>(in on)));
    }

    /// <summary>Reads the queried address and prepares the answer's message. False if missing or multicast.</summary>
    public static bool TryPrepareReply(Span<byte> control, ref ClientAddress local)
    {
        if (control.Length < IPv4Octets) return false;
        int level = BinaryPrimitives.ReadInt32LittleEndian(control[8..]);
        int type = BinaryPrimitives.ReadInt32LittleEndian(control[12..]);
        if (level == LevelIPv4 && type == TypeIPv4)
        {
            // The route back decides the interface; the incoming one may be wrong.
            control.Slice(Data, 4).Clear();
            local.SetIPv4(control.Slice(Data + 4, 4));
            return control[Data + 8] < 224;
        }
        if (level == LevelIPv6 && type == TypeIPv6 && control.Length >= IPv6Octets)
        {
            Span<byte> address = control.Slice(Data, 16);
            local.SetIPv6(address);
            bool linkLocal = address[0] == 0xFE && (address[1] & 0xC0) == 0x80;
            if (!linkLocal) control.Slice(Data + 16, 4).Clear();
            return address[0] != 0xFF;
        }
        return false;
    }

    /// <summary>Reads a prepared message: the queried address, and the interface if relevant.</summary>
    public static uint ReadLocal(ReadOnlySpan<byte> control, ref ClientAddress local)
    {
        if (BinaryPrimitives.ReadInt32LittleEndian(control[8..]) == LevelIPv4)
        {
            local.SetIPv4(control.Slice(Data + 4, 4));
            return 0;
        }
        local.SetIPv6(control.Slice(Data, 16));
        return BinaryPrimitives.ReadUInt32LittleEndian(control[(Data + 16)..]);
    }

    /// <summary>Writes the message that sends from an address. Returns its length.</summary>
    public static int Write(Span<byte> control, bool isIPv6, ClientAddress from, uint scope)
    {
        int octets = isIPv6 ? IPv6Octets : IPv4Octets;
        control.Clear();
        BinaryPrimitives.WriteInt64LittleEndian(control, octets);
        BinaryPrimitives.WriteInt32LittleEndian(control[8..], isIPv6 ? LevelIPv6 : LevelIPv4);
        BinaryPrimitives.WriteInt32LittleEndian(control[12..], isIPv6 ? TypeIPv6 : TypeIPv4);
        if (isIPv6)
        {
            from.Address.CopyTo(control[Data..]);
            BinaryPrimitives.WriteUInt32LittleEndian(control[(Data + 16)..], scope);
        }
        else
        {
            from.Address[12..].CopyTo(control[(Data + 4)..]);
        }
        return octets + sizeof(ulong) - 1 & -sizeof(ulong);
    }
}
