using Microsoft.AspNetCore.Http;

namespace Dns.Management.Admin;

/// <summary>
/// Bounds the replies of the admin port that are written at the same time, so that many requests leave threads to DNS
/// over TCP and commands. One whose client is gone before its turn is not written. Thread-safe.
/// </summary>
/// <param name="most">The number of replies written at the same time.</param>
public sealed class AdminTurns(int most)
{
    private readonly SemaphoreSlim _free = new(most);

    /// <summary>Takes a turn for writing a reply, not for sending it.</summary>
    /// <param name="answer">Writes the reply before its first wait.</param>
    public RequestDelegate Around(RequestDelegate answer) => async context =>
    {
        try
        {
            await _free.WaitAsync(context.RequestAborted).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return;
        }
        Task sending;
        try
        {
            sending = answer(context);
        }
        finally
        {
            _free.Release();
        }
        await sending.ConfigureAwait(false);
    };
}
