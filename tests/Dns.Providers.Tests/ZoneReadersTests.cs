using Dns.Testing;

namespace Dns.Providers.Tests;

public sealed class ZoneReadersTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private readonly VirtualClock _clock = new();
    private readonly ManualResetEventSlim _gate = new();
    private int _begun;

    public void Dispose() => _gate.Dispose();

    /// <summary>Something that is read until the gate opens.</summary>
    private void ReadLong(int index)
    {
        Interlocked.Increment(ref _begun);
        _gate.Wait(Patience);
    }

    private void WaitUntilBegun(int count) =>
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref _begun) >= count, Patience));

    [Fact]
    public async Task Each_item_is_read_once_by_no_more_threads_than_there_may_be()
    {
        int now = 0, most = 0;
        int[] reads = new int[500];
        await new ZoneReaders(3).RunAsync(reads.Length, index =>
        {
            int readers = Interlocked.Increment(ref now);
            InterlockedMax(ref most, readers);
            reads[index]++;
            Interlocked.Decrement(ref now);
        }, default).WaitAsync(Patience);
        Assert.All(reads, count => Assert.Equal(1, count));
        Assert.InRange(most, 1, 3);
    }

    private static void InterlockedMax(ref int most, int value)
    {
        for (int now = most; value > now; now = most)
            if (Interlocked.CompareExchange(ref most, value, now) == now) return;
    }

    [Fact]
    public async Task Nothing_is_read_of_no_items() =>
        await new ZoneReaders(1).RunAsync(0, _ => throw new InvalidOperationException(), default);

    [Fact]
    public async Task What_takes_long_holds_up_no_other()
    {
        ZoneReaders readers = new(1, _clock);
        Task slow = readers.RunAsync(1, ReadLong, default);
        WaitUntilBegun(1);
        Task quick = readers.RunAsync(3, _ => { }, default);
        Assert.False(quick.IsCompleted);
        _clock.Advance(ZoneReaders.LongAfter);
        await quick.WaitAsync(Patience);
        Assert.False(slow.IsCompleted);
        _gate.Set();
        await slow.WaitAsync(Patience);
    }

    [Fact]
    public async Task As_many_take_long_at_once_as_the_bound_says()
    {
        ZoneReaders readers = new(2, _clock);
        Task all = readers.RunAsync(ZoneReaders.MostLong + 10, ReadLong, default);
        for (int second = 0; second < ZoneReaders.MostLong + 10; second++)
        {
            WaitUntilBegun(Math.Min(2 * (second + 1), ZoneReaders.MostLong + 2));
            _clock.Advance(ZoneReaders.LongAfter);
        }
        Assert.Equal(ZoneReaders.MostLong + 2, Volatile.Read(ref _begun));
        _gate.Set();
        await all.WaitAsync(Patience);
    }

    [Fact]
    public async Task A_thread_more_ends_when_what_took_long_is_done()
    {
        ZoneReaders readers = new(1, _clock);
        Task slow = readers.RunAsync(1, ReadLong, default);
        WaitUntilBegun(1);
        int now = 0, most = 0;
        using ManualResetEventSlim second = new();
        Task rest = readers.RunAsync(200, index =>
        {
            InterlockedMax(ref most, Interlocked.Increment(ref now));
            if (index == 0) second.Wait(Patience);
            Thread.Yield();
            Interlocked.Decrement(ref now);
        }, default);
        _clock.Advance(ZoneReaders.LongAfter);
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref now) == 1, Patience));
        _gate.Set();
        await slow.WaitAsync(Patience);
        second.Set();
        await rest.WaitAsync(Patience);
        Assert.Equal(1, most);
    }

    [Fact]
    public async Task Lists_are_read_in_turns()
    {
        ZoneReaders readers = new(1, _clock);
        List<string> order = [];
        Task first = readers.RunAsync(4, index =>
        {
            if (index == 0) ReadLong(index);
            order.Add($"a{index}");
        }, default);
        WaitUntilBegun(1);
        Task other = readers.RunAsync(2, index => order.Add($"b{index}"), default);
        _gate.Set();
        await Task.WhenAll(first, other).WaitAsync(Patience);
        Assert.Equal(["a0", "a1", "b0", "a2", "b1", "a3"], order);
    }

    [Fact]
    public async Task What_was_not_begun_when_it_is_cancelled_is_left_out()
    {
        using CancellationTokenSource cancel = new();
        int read = 0;
        await new ZoneReaders(1).RunAsync(10, index =>
        {
            read++;
            if (index == 1) cancel.Cancel();
        }, cancel.Token).WaitAsync(Patience);
        Assert.Equal(2, read);
    }

    [Fact]
    public async Task An_exception_is_that_of_the_list_and_the_next_list_is_read()
    {
        ZoneReaders readers = new(1);
        await Assert.ThrowsAsync<InvalidOperationException>(
            () =>
                readers.RunAsync(3, _ => throw new InvalidOperationException("a fault"), default).WaitAsync(Patience));
        int read = 0;
        await readers.RunAsync(3, _ => read++, default).WaitAsync(Patience);
        Assert.Equal(3, read);
    }
}
