using System.Net;
using Microsoft.AspNetCore.Connections;

namespace Dns.Management.Tests.Admin;

/// <summary>The admin port continues to accept after exceptions, and while its work is bounded.</summary>
public sealed class AdminListenerFactoryTests
{
    private readonly AdminConnections _connections = new();

    [Fact]
    public async Task An_exception_at_accepting_does_not_end_the_admin_port()
    {
        Failing sockets = new();
        LoopExceptions exceptions = new();
        IConnectionListener listener = await BindAsync(sockets, exceptions);
        Assert.NotNull(await listener.AcceptAsync());
        Assert.Equal(2, exceptions.CountOf(ManagementLoops.AdminAccept));
        await listener.UnbindAsync();
        sockets.Failures = 1;
        // A failure after the end does not restart it.
        Assert.Null(await listener.AcceptAsync());
        Assert.Equal(2, exceptions.CountOf(ManagementLoops.AdminAccept));
        await listener.DisposeAsync();
    }

    [Fact]
    public async Task A_closed_connection_has_its_place_until_the_work_for_it_ends()
    {
        IConnectionListener listener = await BindAsync(new Failing { Failures = 0 }, new LoopExceptions());
        TaskCompletionSource work = new();
        List<Task> served = [];
        for (int i = 0; i < AdminConnections.MostAccepted; i++)
            served.Add(_connections.Around(_ => work.Task)((await listener.AcceptAsync())!));
        // Half of them gave way to others, but nothing has ended.
        Task<ConnectionContext?> next = listener.AcceptAsync().AsTask();
        Assert.False(next.IsCompleted);
        work.SetResult();
        await Task.WhenAll(served);
        Assert.NotNull(await next.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    [Fact]
    public async Task Nothing_accepted_takes_no_place()
    {
        Failing sockets = new() { Failures = 0, HasEnded = true };
        IConnectionListener listener = await BindAsync(sockets, new LoopExceptions());
        for (int i = 0; i < 2 * AdminConnections.MostAccepted; i++)
            Assert.Null(await listener.AcceptAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(1)));
        await listener.UnbindAsync();
    }

    [Fact]
    public async Task The_end_of_the_port_is_not_delayed_by_unfinished_work()
    {
        IConnectionListener listener = await BindAsync(new Failing { Failures = 0 }, new LoopExceptions());
        for (int i = 0; i < AdminConnections.MostAccepted; i++) Assert.NotNull(await listener.AcceptAsync());
        Task<ConnectionContext?> next = listener.AcceptAsync().AsTask();
        await listener.UnbindAsync();
        Assert.Null(await next.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    private async Task<IConnectionListener> BindAsync(Failing sockets, LoopExceptions exceptions) =>
        await new AdminListenerFactory(sockets, _connections, TimeProvider.System, exceptions)
            .BindAsync(new IPEndPoint(IPAddress.Loopback, 0));

    private sealed class Failing : IConnectionListenerFactory, IConnectionListener
    {
        public int Failures { get; set; } = 2;

        public bool HasEnded { get; init; }

        public EndPoint EndPoint => new IPEndPoint(IPAddress.Loopback, 53);

        public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint,
            CancellationToken cancellationToken = default) => new(this);

        public ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default) =>
            Failures-- > 0 ? throw new InvalidOperationException("no")
            : new(HasEnded ? null : new DefaultConnectionContext());

        public ValueTask UnbindAsync(CancellationToken cancellationToken = default) => default;

        public ValueTask DisposeAsync() => default;
    }
}
