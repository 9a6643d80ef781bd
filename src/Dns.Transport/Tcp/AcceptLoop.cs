using System.Net.Sockets;
using Dns.Protocol;

namespace Dns.Transport;

/// <summary>
/// Accepts the connections of one listening socket until it is closed. Neither a failure of the system nor an exception
/// ends it: it pauses and goes on.
/// </summary>
/// <param name="socket">The listening socket, which is closed to end the loop.</param>
/// <param name="kind">What the listener speaks.</param>
/// <param name="layer">What makes the streams of the connections.</param>
/// <param name="listeners">Who serves what is accepted.</param>
internal sealed class AcceptLoop(Socket socket, ListenerKind kind, IStreamLayer layer, TcpListeners listeners)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan LongestTrouble = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Recent = TimeSpan.FromSeconds(5);

    private Task? _loop;
    private long _busySince;
    private long _failingSince;
    private long _failedLast;

    /// <summary>The listening socket.</summary>
    public Socket Socket { get; } = socket;

    /// <summary>What the listener speaks.</summary>
    public ListenerKind Kind { get; } = kind;

    /// <summary>
    /// Whether it accepts: it has not ended, and has neither been busy with one connection nor met only failures for 30
    /// seconds. True before the start.
    /// </summary>
    public bool IsAlive
    {
        get
        {
            bool isFailing = IsPast(ref _failingSince, LongestTrouble) && !IsPast(ref _failedLast, Recent);
            return _loop is null || !(_loop.IsCompleted || isFailing || IsPast(ref _busySince, LongestTrouble));
        }
    }

    /// <summary>Starts to accept. Once only.</summary>
    public void Start() => _loop = Task.Run(AcceptAsync);

    private async Task AcceptAsync()
    {
        SocketOperation? operation = null;
        while (!listeners.IsStopped)
        {
            bool isGood = false;
            try
            {
                operation ??= new SocketOperation();
                isGood = Handle(await operation.AcceptAsync(Socket).ConfigureAwait(false), operation.AcceptSocket);
            }
            catch (Exception error)
            {
                TryNote(error, operation?.AcceptSocket);

                // Whether the operation is still under way is not known: the next one is another.
                operation = null;
            }

            Volatile.Write(ref _busySince, 0);
            if (!isGood && !listeners.IsStopped)
            {
                await PauseAsync().ConfigureAwait(false);
            }
        }

        operation?.Dispose();
    }

    /// <summary>Serves what was accepted. False when a pause is needed.</summary>
    private bool Handle(SocketError error, Socket? accepted)
    {
        if (error == SocketError.Success)
        {
            Volatile.Write(ref _busySince, listeners.Clock.GetTimestamp());
            listeners.Admit(accepted!, layer);
            Volatile.Write(ref _failingSince, 0);
            return true;
        }

        // Reset by the client before it was accepted, or closed by us.
        if (error is SocketError.ConnectionAborted or SocketError.ConnectionReset || listeners.IsStopped)
        {
            return true;
        }

        bool failedBefore = _failingSince != 0;
        NoteFailure();
        listeners.Table.CountAcceptError();
        bool roomMade = error == SocketError.TooManyOpenSockets && listeners.TryFreeDescriptor();
        return roomMade && !failedBefore;
    }

    /// <summary>
    /// Closes what was accepted and counts an exception. False when even that fails: memory is still short, and a pause is all
    /// that is left.
    /// </summary>
    private bool TryNote(Exception error, Socket? accepted)
    {
        try
        {
            accepted?.Dispose();
            NoteFailure();
            listeners.NoteFault(ServerLoop.TcpAccept, error);
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
        if (_failingSince == 0)
        {
            Volatile.Write(ref _failingSince, now);
        }
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
