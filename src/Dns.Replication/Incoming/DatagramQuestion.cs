namespace Dns.Replication.Incoming;

/// <summary>One query over datagrams, retried until a reply or a timeout. Other messages are ignored.</summary>
internal sealed class DatagramQuestion : IPathReceiver, IDisposable
{
    /// <summary>The timeout of each try.</summary>
    private static readonly TimeSpan[] Waits = [TimeSpan.FromSeconds(1.5), TimeSpan.FromSeconds(3)];

    private readonly PrimaryQuery _query;
    private readonly TaskCompletionSource<byte[]?> _reply;
    private readonly ITimer _timer;
    private IDatagramPath? _path;
    private int _tries;
    private int _most;

    private DatagramQuestion(PrimaryQuery query, TimeProvider time, bool continuesOnPool)
    {
        _query = query;
        _reply = new(continuesOnPool ? TaskCreationOptions.RunContinuationsAsynchronously : TaskCreationOptions.None);
        _timer = time.CreateTimer(
            static question => ((DatagramQuestion)question!).Try(), this, Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
    }

    /// <summary>Sends the query; null if there was no reply, or if the server has no datagrams.</summary>
    /// <param name="isDown">Whether the server was silent recently: it gets one try.</param>
    public static async Task<byte[]?> QueryAsync(
        IOutgoingNetwork network, PeerAddress server, PrimaryQuery query, TimeProvider time, bool isDown,
        CancellationToken cancellation)
    {
        if (!server.Scheme.HasDatagrams) return null;
        using DatagramQuestion question = new(query, time, network.CompletesOnSharedThreads)
        {
            _most = isDown ? 1 : Waits.Length,
        };
        await using CancellationTokenRegistration end = cancellation.UnsafeRegister(
            static question => ((DatagramQuestion)question!).End(), question);
        question._path = network.OpenDatagrams(server, 0, question, out _);
        question.Try();
        return await question._reply.Task.ConfigureAwait(false);
    }

    public void Receive(ReadOnlySpan<byte> octets)
    {
        // The connected socket matches address and port; ID and question are matched here.
        if (_query.IsReply(octets)) _reply.TrySetResult(octets.ToArray());
    }

    public void End() => _reply.TrySetResult(null);

    public void Dispose()
    {
        _timer.Dispose();
        _path?.Dispose();
    }

    private void Try()
    {
        int number = _tries++;
        if (number >= _most || _path is null || !_path.TrySend(_query.Octets.Span, out _)) End();
        else _timer.Change(Waits[number], Timeout.InfiniteTimeSpan);
    }
}
