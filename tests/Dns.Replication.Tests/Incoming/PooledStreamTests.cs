using System.Net;

namespace Dns.Replication.Tests;

/// <summary>Streams of transfers leave the thread on which a socket completes.</summary>
public sealed class PooledStreamTests
{
    [Fact]
    public async Task What_follows_an_operation_runs_on_the_thread_pool()
    {
        PendingStream pending = new();
        StreamNetwork network = new(_ => pending, isShared: true);
        IByteStream stream = PooledStream.Of(network, IPEndPoint.Parse("192.0.2.1:53"));
        Func<Task>[] operations =
        [
            async () => Assert.True(await stream.OpenAsync().ConfigureAwait(false)),
            async () => Assert.Equal(1, await stream.SendAsync(new byte[3]).ConfigureAwait(false)),
            async () => Assert.Equal(1, await stream.ReceiveAsync(new byte[9]).ConfigureAwait(false)),
        ];
        foreach (Func<Task> operation in operations)
        {
            Task<bool> isOnPool = LeavesAsync(operation);
            Thread ofSocket = new(pending.Complete);
            ofSocket.Start();
            ofSocket.Join();
            Assert.True(await isOnPool);
        }
    }

    private static async Task<bool> LeavesAsync(Func<Task> operation)
    {
        await operation().ConfigureAwait(false);
        return Thread.CurrentThread.IsThreadPoolThread;
    }

    /// <summary>A stream whose operations wait to be completed.</summary>
    private sealed class PendingStream : IByteStream
    {
        private TaskCompletionSource<int> _pending = new();

        public void Complete() => _pending.SetResult(1);

        public async ValueTask<bool> OpenAsync() => await Begin().ConfigureAwait(false) == 1;

        public ValueTask<int> ReceiveAsync(Memory<byte> room) => new(Begin());

        public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets) => new(Begin());

        public void Close()
        {
        }

        private Task<int> Begin() => (_pending = new()).Task;
    }
}
