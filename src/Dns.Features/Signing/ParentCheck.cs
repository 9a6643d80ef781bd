using System.Threading.Channels;

namespace Dns.Features.Signing;

/// <summary>Queries DS RRsets from <c>ParentResolver</c>, limited in concurrency and rate. Thread-safe.</summary>
/// <remarks>Zones wait in a queue, each at most once: a repeated request joins the pending one.</remarks>
public sealed class ParentCheck : IParentCheck, IDisposable
{
    /// <summary>Maximum concurrent queries.</summary>
    internal const int MaxConcurrent = 8;

    /// <summary>How long a slot stays taken after an answer: with all slots, at most 80 queries a second.</summary>
    internal static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    private readonly DsClient _client;
    private readonly TimeProvider _time;
    private readonly Channel<Question> _questions = Channel.CreateUnbounded<Question>();
    private readonly CancellationTokenSource _stopping = new();

    public ParentCheck(IOutgoingNetwork network, TimeProvider time)
    {
        (_client, _time) = (new DsClient(network, time), time);
        for (int i = 0; i < MaxConcurrent; i++) _ = RunAsync();
    }

    public void QueryDs(DomainName zone, PeerAddress resolver, Action<ParentAnswer> onAnswer) =>
        _questions.Writer.TryWrite(new Question(zone, resolver, onAnswer));

    public void Dispose()
    {
        _questions.Writer.TryComplete();
        _stopping.Cancel();
        _client.Dispose();
    }

    private async Task RunAsync()
    {
        try
        {
            while (await _questions.Reader.WaitToReadAsync(_stopping.Token).ConfigureAwait(false))
            {
                if (!_questions.Reader.TryRead(out Question? question)) continue;
                question.OnAnswer(await QueryAsync(question).ConfigureAwait(false));
                await Task.Delay(Pause, _time, _stopping.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // The server stops.
        }
    }

    private async Task<ParentAnswer> QueryAsync(Question question)
    {
        try
        {
            DsAnswer answer = await _client.QueryDsAsync(question.Resolver, question.Zone, _stopping.Token)
                .ConfigureAwait(false);
            return new ParentAnswer(answer.Records, answer.Ttl, answer.Failure);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            // No route, no descriptors: like a server that does not answer.
            return new ParentAnswer(null, null, error.Message);
        }
    }

    private sealed record Question(DomainName Zone, PeerAddress Resolver, Action<ParentAnswer> OnAnswer);
}
