using System.Net.Sockets;

namespace Dns.Transport.Tcp;

/// <summary>Accepts connections of one socket until it is closed. Pauses and continues after a failure.</summary>
internal sealed class AcceptLoop(
    Socket socket, ListenerAddress address, IStreamLayer? layer, TcpListeners listeners) : IListener
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan MaxFailingTime = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Recent = TimeSpan.FromSeconds(5);

    private Task? _loop;
    private long _busySince;
    private long _failingSince;
    private long _failedLast;

    private volatile bool _isStopped;

    public ListenerAddress Address { get; } = address;

    public IEnumerable<SafeHandle> Handles => [socket.SafeHandle];

    /// <summary>False once ended, or if blocked or only failing for 30 seconds.</summary>
    public bool IsAccepting
    {
        get
        {
            bool isFailing = IsPast(ref _failingSince, MaxFailingTime) && !IsPast(ref _failedLast, Recent);
            return _isStopped || _loop is null
                || !(_loop.IsCompleted || isFailing || IsPast(ref _busySince, MaxFailingTime));
        }
    }

    /// <summary>Starts to accept; idempotent. The responder is that of <see cref="TcpListeners.Start"/>.</summary>
    public void Start(IMessageResponder responder) => _loop ??= Task.Run(AcceptAsync);

    public void StopAccepting()
    {
        _isStopped = true;
        socket.Dispose();
    }

    public Task StopAsync(TimeSpan grace)
    {
        StopAccepting();
        return Task.CompletedTask;
    }

    private async Task AcceptAsync()
    {
        SocketOperation? operation = null;
        while (!_isStopped)
        {
            bool isGood = false;
            try
            {
                operation ??= new SocketOperation();
                await operation.AcceptAsync(socket).ConfigureAwait(false);
                isGood = Handle(operation.SocketError, operation.AcceptSocket);
            }
            catch (Exception error)
            {
                TryNote(error, operation?.AcceptSocket);
                // The operation may still be pending, so the next accept uses another.
                operation = null;
            }
            Volatile.Write(ref _busySince, 0);
            if (!isGood && !_isStopped) await PauseAsync().ConfigureAwait(false);
        }
        operation?.Dispose();
    }

    /// <summary>Serves an accepted connection. False if a pause is needed.</summary>
    private bool Handle(SocketError error, Socket? accepted)
    {
        if (error == SocketError.Success)
        {
            Volatile.Write(ref _busySince, listeners.Clock.GetTimestamp());
            listeners.Admit(accepted!, layer);
            Volatile.Write(ref _failingSince, 0);
            return true;
        }
        // Reset by the client before it was accepted, or closed here.
        if (error is SocketError.ConnectionAborted or SocketError.ConnectionReset || _isStopped) return true;
        bool failedBefore = _failingSince != 0;
        NoteFailure();
        listeners.Table.CountAcceptError();
        bool roomMade = error == SocketError.TooManyOpenSockets && listeners.TryFreeDescriptor();
        return roomMade && !failedBefore;
    }

    /// <summary>Closes the connection and counts an exception. False if even that fails for lack of memory.</summary>
    private bool TryNote(Exception error, Socket? accepted)
    {
        try
        {
            accepted?.Dispose();
            NoteFailure();
            listeners.NoteFault(TransportLoops.TcpAccept, error);
            return true;
        }
        catch (Exception)
        {
            return false;
        }
    }

    private void NoteFailure()
    {
        long now = listeners.Clock.GetTimestamp();
        Volatile.Write(ref _failedLast, now);
        if (_failingSince == 0) Volatile.Write(ref _failingSince, now);
    }

    private static async ValueTask PauseAsync()
    {
        try
        {
            await Task.Delay(Pause, CancellationToken.None).ConfigureAwait(false);
        }
        catch (OutOfMemoryException)
        {
            // Needs no memory.
            Thread.Sleep(Pause);
        }
    }

    private bool IsPast(ref long since, TimeSpan time)
    {
        long then = Volatile.Read(ref since);
        return then != 0 && listeners.Clock.GetElapsedTime(then) > time;
    }
}
