using System.Buffers.Binary;
using System.Net;

namespace Dns.Transport.Tests;

/// <summary>The destination of a datagram, from the kernel, is the source of its answer.</summary>
public class PacketInfoTests
{
    private const int Interface = 7;

    [Theory]
    [InlineData("192.0.2.1", true)]
    [InlineData("223.255.255.255", true)]
    [InlineData("224.0.0.1", false)]
    [InlineData("239.1.2.3", false)]
    [InlineData("255.255.255.255", false)]
    public void A_group_or_a_broadcast_is_not_answered_over_IPv4(string destination, bool isAnswered)
    {
        byte[] control =
            Control(0, 8, [.. Number(Interface), 192, 0, 2, 9, .. IPAddress.Parse(destination).GetAddressBytes()]);
        ClientAddress asked = default;
        Assert.Equal(isAnswered, PacketInfo.TryPrepareReply(control, ref asked));
        Assert.Equal("192.0.2.9:0", asked.ToString());
        // The route back decides the interface.
        Assert.Equal(0, BinaryPrimitives.ReadInt32LittleEndian(control.AsSpan(16)));
    }

    [Theory]
    [InlineData("2001:db8::1", true, 0)]
    [InlineData("fe80::1", true, Interface)]
    [InlineData("febf::1", true, Interface)]
    [InlineData("fec0::1", true, 0)]
    [InlineData("ff02::1", false, 0)]
    public void The_interface_is_kept_for_an_address_of_the_link_alone(string destination, bool isAnswered, int kept)
    {
        byte[] control = Control(41, 50, [.. IPAddress.Parse(destination).GetAddressBytes(), .. Number(Interface)]);
        ClientAddress asked = default;
        Assert.Equal(isAnswered, PacketInfo.TryPrepareReply(control, ref asked));
        Assert.Equal(IPAddress.Parse(destination), asked.ToEndPoint().Address);
        Assert.Equal(kept, BinaryPrimitives.ReadInt32LittleEndian(control.AsSpan(32)));
    }

    [Theory]
    [InlineData(0, 8, 11)]
    [InlineData(41, 50, 19)]
    [InlineData(1, 8, 12)]
    [InlineData(41, 51, 20)]
    public void Other_or_shorter_data_is_not_answered(int level, int type, int octets)
    {
        ClientAddress asked = default;
        Assert.False(PacketInfo.TryPrepareReply(Control(level, type, new byte[octets]), ref asked));
    }

    [Theory]
    [InlineData("192.0.2.1:53", "192.0.2.1:53", true)]
    [InlineData("192.0.2.1:53", "192.0.2.1:54", false)]
    [InlineData("192.0.2.1:53", "192.0.2.2:53", false)]
    [InlineData("192.0.2.1:0", "192.0.2.2:53", true)]
    public void Our_own_address_and_port_0_are_refused(string client, string asked, bool isRefused) =>
        Assert.Equal(isRefused, UdpAdmission.Refuses(
            ClientAddress.From(IPEndPoint.Parse(client)), ClientAddress.From(IPEndPoint.Parse(asked))));

    // A length of 8 octets, level and type of 4, and the data.
    private static byte[] Control(int level, int type, byte[] data) =>
        [.. Number(16 + data.Length), .. Number(0), .. Number(level), .. Number(type), .. data];

    private static byte[] Number(int value)
    {
        byte[] octets = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(octets, value);
        return octets;
    }
}
