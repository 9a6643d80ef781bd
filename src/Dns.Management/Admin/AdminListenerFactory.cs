using Microsoft.AspNetCore.Connections;

namespace Dns.Management.Admin;

/// <summary>
/// Creates the listeners of the admin port. An exception in accept, which would end the web server's loop, is reported,
/// and accept continues after a pause. While too much work is unfinished, new connections wait in the backlog.
/// </summary>
public sealed class AdminListenerFactory(IConnectionListenerFactory sockets, AdminConnections connections,
    TimeProvider clock, IExceptionSink exceptions)
    : IConnectionListenerFactory
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    public async ValueTask<IConnectionListener> BindAsync(EndPoint endpoint,
        CancellationToken cancellationToken = default) =>
        new Listener(
            await sockets.BindAsync(endpoint, cancellationToken).ConfigureAwait(false), connections, clock, exceptions);

    private sealed class Listener(IConnectionListener inner, AdminConnections connections, TimeProvider clock,
        IExceptionSink exceptions) : IConnectionListener
    {
        private readonly CancellationTokenSource _unbound = new();

        public EndPoint EndPoint => inner.EndPoint;

        public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
        {
            try
            {
                await connections.WaitForRoomAsync(_unbound.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                return null;
            }
            ConnectionContext? accepted = null;
            try
            {
                accepted = await TakeAsync(cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                if (accepted is null) connections.LeaveRoom();
            }
            return accepted;
        }

        private async ValueTask<ConnectionContext?> TakeAsync(CancellationToken cancellationToken)
        {
            while (true)
            {
                try
                {
                    return await inner.AcceptAsync(cancellationToken).ConfigureAwait(false);
                }
                catch (Exception error) when (!_unbound.IsCancellationRequested &&
                    !cancellationToken.IsCancellationRequested)
                {
                    exceptions.Report(ManagementLoops.AdminAccept, error, default);
                    await Task.Delay(Pause, clock, _unbound.Token)
                        .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                }
            }
        }

        public async ValueTask UnbindAsync(CancellationToken cancellationToken = default)
        {
            await _unbound.CancelAsync().ConfigureAwait(false);
            await inner.UnbindAsync(cancellationToken).ConfigureAwait(false);
        }

        public async ValueTask DisposeAsync()
        {
            await _unbound.CancelAsync().ConfigureAwait(false);
            await inner.DisposeAsync().ConfigureAwait(false);
            _unbound.Dispose();
        }
    }
}
