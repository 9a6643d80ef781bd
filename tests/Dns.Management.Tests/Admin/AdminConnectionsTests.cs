using System.Net;
using Microsoft.AspNetCore.Connections;

namespace Dns.Management.Tests.Admin;

/// <summary>Which connection of the admin port is closed for a new one.</summary>
public sealed class AdminConnectionsTests
{
    private readonly AdminConnections _connections = new();
    private readonly TaskCompletionSource _end = new();
    private readonly List<Client> _clients = [];

    [Fact]
    public void The_oldest_connection_of_the_same_address_gives_way()
    {
        Client other = Connect("192.0.2.1");
        Client[] own = [.. Enumerable.Range(0, AdminConnections.MaxPerAddress).Select(_ => Connect("192.0.2.2"))];
        Assert.DoesNotContain(_clients, client => client.IsAborted);
        // A request makes its connection the last to be closed.
        Note(own[0], isBusy: true);
        Note(own[0], isBusy: false);
        Connect("192.0.2.2");
        Assert.Equal([own[1]], _clients.Where(client => client.IsAborted));
        Connect("::ffff:192.0.2.2");
        Assert.Equal([own[1], own[2]], _clients.Where(client => client.IsAborted));
        Assert.False(other.IsAborted);
    }

    [Fact]
    public void The_one_without_a_request_gives_way_before_one_with_a_request()
    {
        Client[] own = [.. Enumerable.Range(0, AdminConnections.MaxPerAddress).Select(_ => Connect("192.0.2.2"))];
        foreach (Client client in own[..^1]) Note(client, isBusy: true);
        Client next = Connect("192.0.2.2");
        Assert.Equal([own[^1]], _clients.Where(client => client.IsAborted));
        Note(next, isBusy: true);
        Connect("192.0.2.2");
        // All have a request: it is the one whose request is oldest.
        Assert.Equal([own[0], own[^1]], _clients.Where(client => client.IsAborted));
    }

    [Fact]
    public void When_all_places_are_taken_one_of_the_same_address_gives_way_first()
    {
        for (int i = 0; i < AdminConnections.Most - 1; i++) Connect($"192.0.2.{10 + i / 4}");
        Client own = Connect("192.0.2.1");
        Connect("192.0.2.1");
        Assert.Equal([own], _clients.Where(client => client.IsAborted));
        Connect("192.0.2.3");
        Assert.Equal([_clients[0], own], _clients.Where(client => client.IsAborted));
    }

    [Fact]
    public async Task A_connection_that_ended_leaves_its_place()
    {
        for (int i = 0; i < AdminConnections.Most; i++) Connect($"192.0.2.{10 + i / 4}");
        _end.SetResult();
        await Task.WhenAll(_clients.Select(client => client.Served));
        for (int i = 0; i < AdminConnections.Most; i++) Connect($"192.0.2.{10 + i / 4}");
        Assert.DoesNotContain(_clients, client => client.IsAborted);
    }

    private Client Connect(string address)
    {
        Client client = new() { RemoteEndPoint = new IPEndPoint(IPAddress.Parse(address), 40000) };
        _clients.Add(client);
        client.Served = _connections.Around(_ => _end.Task)(client);
        return client;
    }

    private void Note(Client client, bool isBusy) => _connections.Note(client.Features, isBusy);

    private sealed class Client : DefaultConnectionContext
    {
        public bool IsAborted { get; private set; }

        public Task Served { get; set; } = Task.CompletedTask;

        public override void Abort(ConnectionAbortedException abortReason) => IsAborted = true;
    }
}
