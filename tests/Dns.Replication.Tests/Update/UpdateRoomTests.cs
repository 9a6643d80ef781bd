using System.Net;

namespace Dns.Replication.Tests;

public class UpdateRoomTests
{
    [Fact]
    public void A_client_has_at_most_half_of_the_updates_that_are_left()
    {
        UpdateRoom room = new(most: 8, mostOctets: 1000);
        for (int i = 0; i < 4; i++) Assert.True(room.TryEnter(Update("a")));
        Assert.False(room.TryEnter(Update("a")));
        Assert.True(room.TryEnter(Update("b")));
        Assert.True(room.TryEnter(Update("b")));
        Assert.False(room.TryEnter(Update("b")));
        Assert.Equal(6, room.Count);
        // Those of a key are of one client, from whatever address.
        DomainName key = DomainName.Parse("k.");
        Assert.True(room.TryEnter(Update("a", key: key)));
        Assert.False(room.TryEnter(Update("b", key: key)));
    }

    [Fact]
    public void A_client_has_at_most_half_of_the_octets_that_are_left()
    {
        UpdateRoom room = new(most: 1000, mostOctets: 800);
        Assert.False(room.TryEnter(Update("a", 801)));
        Assert.True(room.TryEnter(Update("a", 400)));
        Assert.False(room.TryEnter(Update("a", 1)));
        Assert.True(room.TryEnter(Update("b", 200)));
        Assert.False(room.TryEnter(Update("b", 1)));
        Assert.True(room.TryEnter(Update("c", 1)));
    }

    [Fact]
    public void There_is_room_for_what_can_enter_and_for_no_more()
    {
        UpdateRoom room = new(most: 3, mostOctets: 800);
        QueuedWrite own = Update("a", 300), other = Update("b", 100);
        Assert.True(room.TryEnter(own));
        Assert.True(room.HasRoom(own.Account, 200));
        Assert.False(room.HasRoom(own.Account, 201));
        Assert.True(room.HasRoom(other.Account, 500));
        Assert.True(room.TryEnter(other));
        Assert.False(room.HasRoom(other.Account, 1));
        Assert.Equal(2, room.Count);
    }

    [Fact]
    public void What_leaves_makes_room_for_its_client_and_others()
    {
        UpdateRoom room = new(most: 4, mostOctets: 1000);
        QueuedWrite[] own = [Update("a", 300), Update("a", 200)];
        foreach (QueuedWrite request in own) Assert.True(room.TryEnter(request));
        Assert.False(room.TryEnter(Update("a")));
        foreach (QueuedWrite request in own) room.Leave(request);
        Assert.Equal(0, room.Count);
        Assert.True(room.TryEnter(Update("b", 1000)));
    }

    [Theory]
    [InlineData("192.0.2.1:1000", "192.0.2.1:2000", true)]
    [InlineData("192.0.2.1:1000", "192.0.2.2:1000", false)]
    [InlineData("[2001:db8::1]:1000", "[2001:db8::ffff:1]:2000", true)]
    [InlineData("[2001:db8::1]:1000", "[2001:db8:0:1::1]:1000", false)]
    public void A_client_is_an_address_of_IPv4_or_a_64_of_IPv6_whatever_its_port(string one, string other, bool isOne)
    {
        UpdateRoom room = new(most: 2, mostOctets: 1000);
        Assert.True(room.TryEnter(From(one)));
        Assert.Equal(!isOne, room.TryEnter(From(other)));

        static QueuedWrite From(string endPoint) =>
            new UpdateRequest(
                null!, new byte[50], null!, ClientAddress.From(IPEndPoint.Parse(endPoint)), null, null!).Waiting;
    }

    private static QueuedWrite Update(string client, int octets = 50, DomainName? key = null) =>
        new UpdateRequest(null!, new byte[octets], null!, ClientOf(client), key, null!).Waiting;

    private static ClientAddress ClientOf(string name) =>
        ClientAddress.From(new IPEndPoint(IPAddress.Parse("192.0.2." + (int)name[0]), 1000));
}
