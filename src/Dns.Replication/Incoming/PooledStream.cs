namespace Dns.Replication.Incoming;

/// <summary>
/// A stream whose callers continue on the thread pool. The threads on which sockets complete serve all clients over TCP
/// as well, and what follows a message of a transfer may build a zone, write it to disk or sign it.
/// </summary>
internal sealed class PooledStream(IByteStream stream) : IByteStream
{
    /// <summary>Makes a stream to a server; pooled unless the network has threads of its own.</summary>
    public static IByteStream Of(IOutgoingNetwork network, PeerAddress server) => network.CompletesOnSharedThreads
        ? new PooledStream(network.MakeStream(server)) : network.MakeStream(server);

    public DnsTransport Transport => stream.Transport;

    public async ValueTask<bool> OpenAsync()
    {
        bool isConnected = await stream.OpenAsync().ConfigureAwait(false);
        // Also if it was there at once: the caller may be on such a thread.
        await Task.Yield();
        return isConnected;
    }

    public ValueTask<int> ReceiveAsync(Memory<byte> room) => OnPool(stream.ReceiveAsync(room));

    public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets) => OnPool(stream.SendAsync(octets));

    public int TrySend(ReadOnlySpan<byte> octets) => stream.TrySend(octets);

    public void Close() => stream.Close();

    public void Release() => stream.Release();

    private static ValueTask<int> OnPool(ValueTask<int> running)
    {
        return running.IsCompleted ? running : WaitAsync(running);

        static async ValueTask<int> WaitAsync(ValueTask<int> running)
        {
            int octets = await running.ConfigureAwait(false);
            await Task.Yield();
            return octets;
        }
    }
}
