using System.Net;

namespace Dns.Replication.Tests;

public class UpdateQueueTests
{
    private readonly UpdateQueue _queue = new(most: 8);

    [Fact]
    public void Clients_take_turns_and_each_keeps_its_order()
    {
        foreach (string client in (string[])["a1", "a2", "a3", "b1", "a4", "c1", "b2"])
            Assert.True(_queue.TryAdd(Update(client)));
        Assert.Equal("a1 b1 c1 a2 b2 a3 a4", TakeAll());
        Assert.Equal(0, _queue.Count);
        Assert.True(_queue.TryAdd(Update("b3")));
        Assert.True(_queue.TryAdd(Update("a5")));
        Assert.Equal("b3 a5", TakeAll());
    }

    [Fact]
    public void A_client_has_at_most_half_of_the_room_that_is_left()
    {
        for (int i = 0; i < 4; i++) Assert.True(_queue.TryAdd(Update("a" + i)));
        Assert.False(_queue.TryAdd(Update("a9")));
        for (int i = 0; i < 2; i++) Assert.True(_queue.TryAdd(Update("b" + i)));
        Assert.False(_queue.TryAdd(Update("b9")));
        Assert.True(_queue.TryAdd(Update("c0")));
        Assert.False(_queue.TryAdd(Update("c9")));
        Assert.True(_queue.TryAdd(Update("d0")));
        Assert.False(_queue.TryAdd(Update("e9")));
        Assert.Equal(8, _queue.Count);
        Assert.Equal("a0 b0 c0 d0 a1 b1 a2 a3", TakeAll());
    }

    [Fact]
    public void Updates_with_a_key_are_those_of_one_client_whatever_its_address()
    {
        DomainName key = DomainName.Parse("k.");
        for (int i = 0; i < 4; i++) Assert.True(_queue.TryAdd(Update("a" + i, key)));
        Assert.False(_queue.TryAdd(Update("b9", key)));
        Assert.True(_queue.TryAdd(Update("b9")));
    }

    private string TakeAll()
    {
        List<string> taken = [];
        while (_queue.TryTake(out QueuedWrite? request))
        {
            IPEndPoint client = IPEndPoint.Parse(request.Write.Author.Client);
            taken.Add((char)client.Address.GetAddressBytes()[3] + $"{request.Octets}");
        }
        return string.Join(' ', taken);
    }

    /// <param name="name">The client, and a digit that tells its updates apart.</param>
    private static QueuedWrite Update(string name, DomainName? key = null)
    {
        IPEndPoint client = new(IPAddress.Parse("192.0.2." + (int)name[0]), name[^1]);
        return new UpdateRequest(
            null!, new byte[name[^1] - '0'], null!, ClientAddress.From(client), key, null!).Waiting;
    }
}
