using Microsoft.AspNetCore.Http;

namespace Dns.Management.Tests.Admin;

/// <summary>Replies of the admin port are written in turn, and sent at the same time.</summary>
public sealed class AdminTurnsTests
{
    private readonly AdminTurns _turns = new(1);
    private int _written;

    [Fact]
    public async Task A_reply_that_is_read_slowly_delays_no_other()
    {
        TaskCompletionSource slow = new();
        Task first = Write(new DefaultHttpContext(), slow.Task);
        await Write(new DefaultHttpContext(), Task.CompletedTask).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(2, _written);
        Assert.False(first.IsCompleted);
        slow.SetResult();
        await first;
    }

    [Fact]
    public async Task Only_so_many_replies_are_written_at_the_same_time()
    {
        using ManualResetEventSlim end = new();
        using ManualResetEventSlim begun = new();
        Task first = Task.Run(() => _turns.Around(_ =>
        {
            begun.Set();
            end.Wait(TimeSpan.FromMinutes(1));
            return Task.CompletedTask;
        })(new DefaultHttpContext()));
        Assert.True(begun.Wait(TimeSpan.FromMinutes(1)));
        using CancellationTokenSource gone = new();
        Task left = Write(new DefaultHttpContext { RequestAborted = gone.Token }, Task.CompletedTask);
        Task second = Write(new DefaultHttpContext(), Task.CompletedTask);
        Assert.False(second.IsCompleted);
        // Nothing is written for a client that does not wait.
        await gone.CancelAsync();
        await left.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(0, _written);
        end.Set();
        await Task.WhenAll(first, second).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(1, _written);
    }

    [Fact]
    public async Task An_exception_at_writing_ends_its_turn()
    {
        RequestDelegate failing = _turns.Around(_ => throw new InvalidOperationException("no"));
        await Assert.ThrowsAsync<InvalidOperationException>(() => failing(new DefaultHttpContext()));
        await Write(new DefaultHttpContext(), Task.CompletedTask).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(1, _written);
    }

    private Task Write(HttpContext context, Task sending) => _turns.Around(_ =>
    {
        _written++;
        return sending;
    })(context);
}
