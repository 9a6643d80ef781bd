using System.Net;
using Microsoft.AspNetCore.Connections;

namespace Dns.Management.Tests.Admin;

/// <summary>The admin port continues to accept after exceptions.</summary>
public sealed class AdminListenerFactoryTests
{
    [Fact]
    public async Task An_exception_at_accepting_does_not_end_the_admin_port()
    {
        Failing sockets = new();
        LoopExceptions exceptions = new();
        IConnectionListener listener = await new AdminListenerFactory(sockets, TimeProvider.System, exceptions)
            .BindAsync(new IPEndPoint(IPAddress.Loopback, 0));
        Assert.NotNull(await listener.AcceptAsync());
        Assert.Equal(2, exceptions.CountOf(ServerLoop.AdminAccept));
        await listener.UnbindAsync();
        sockets.Failures = 1;
        // A failure after the end does not restart it.
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await listener.AcceptAsync());
        Assert.Equal(2, exceptions.CountOf(ServerLoop.AdminAccept));
        await listener.DisposeAsync();
    }

    private sealed class Failing : IConnectionListenerFactory, IConnectionListener
    {
        public int Failures { get; set; } = 2;

        public EndPoint EndPoint => new IPEndPoint(IPAddress.Loopback, 53);

        public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint,
            CancellationToken cancellationToken = default) => new(this);

        public ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default) =>
            Failures-- > 0 ? throw new InvalidOperationException("no") : new(new DefaultConnectionContext());

        public ValueTask UnbindAsync(CancellationToken cancellationToken = default) => default;

        public ValueTask DisposeAsync() => default;
    }
}
