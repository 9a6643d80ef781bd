namespace Dns.Transport.Tests;

public sealed class ProxyHeaderTests
{
    [Theory]
    [InlineData("203.0.113.9:4711")]
    [InlineData("[2001:db8::9]:4711")]
    public void A_header_names_the_client(string client)
    {
        foreach (int protocol in new[] { 1, 2 })
        {
            byte[] header = ProxyHeaders.For(client, fieldOctets: 7, protocol);
            ClientAddress read = default;
            Assert.Equal(ProxyHeaderStatus.Whole, ProxyHeader.Read([.. header, 1, 2, 3], ref read, out int octets));
            Assert.Equal((header.Length, client), (octets, read.ToString()));
        }
    }

    [Fact]
    public void A_local_header_and_one_that_does_not_know_leave_the_proxy_as_the_client()
    {
        foreach (byte[] header in new[] { ProxyHeaders.Local(), ProxyHeaders.Local(30),
            ProxyHeaders.Make(0x21, 0, [1, 2]) })
        {
            ClientAddress read = new() { Port = 7 };
            Assert.Equal(ProxyHeaderStatus.Whole, ProxyHeader.Read(header, ref read, out int octets));
            Assert.Equal((header.Length, new ClientAddress { Port = 7 }), (octets, read));
        }
    }

    [Fact]
    public void Every_beginning_of_a_header_is_partial_and_changes_nothing()
    {
        byte[] header = ProxyHeaders.For("203.0.113.9:4711", fieldOctets: 9);
        for (int octets = 0; octets < header.Length; octets++)
        {
            ClientAddress read = default;
            Assert.Equal(ProxyHeaderStatus.Partial,
                ProxyHeader.Read(header.AsSpan(0, octets), ref read, out int taken));
            Assert.Equal((0, default(ClientAddress)), (taken, read));
        }
    }

    [Theory]
    [MemberData(nameof(ProxyHeaders.Malformed), MemberType = typeof(ProxyHeaders))]
    public void A_malformed_header_is_never_taken(string what, byte[] header)
    {
        ClientAddress read = default;
        Assert.NotEqual(ProxyHeaderStatus.Whole, ProxyHeader.Read(header, ref read, out _));
        Assert.True(read.Equals(default), what);
    }

    [Fact]
    public void The_longest_header_is_taken()
    {
        ClientAddress read = default;
        byte[] header = ProxyHeaders.Local(ProxyHeader.MostOctets - 16);
        Assert.Equal(ProxyHeaderStatus.Whole, ProxyHeader.Read(header, ref read, out int octets));
        Assert.Equal(ProxyHeader.MostOctets, octets);
    }

    [Fact]
    public void Random_and_mutated_octets_are_read_within_their_bounds()
    {
        Random random = new(1);
        for (int i = 0; i < 200_000; i++)
        {
            byte[] octets = ProxyHeaders.For(i % 2 == 0 ? "203.0.113.9:4711" : "[2001:db8::9]:4711", random.Next(20));
            for (int changes = random.Next(4); changes > 0; changes--)
            {
                octets[random.Next(octets.Length)] = (byte)random.Next(256);
            }

            octets = octets[..random.Next(octets.Length + 1)];
            ClientAddress read = default;
            ProxyHeaderStatus status = ProxyHeader.Read(octets, ref read, out int taken);
            Assert.InRange(taken, 0, octets.Length);
            Assert.True(status == ProxyHeaderStatus.Whole || read.Equals(default));
        }
    }
}
