using System.Buffers;

namespace Dns.Transport.Streams;

/// <summary>Rents the buffers that a connection holds while it waits. Thread-safe.</summary>
public interface IStreamBuffers
{
    /// <summary>Buffers without a bound, for outgoing connections, whose number is bounded.</summary>
    static IStreamBuffers Unbounded { get; } = new PoolBuffers();

    /// <summary>Rents a buffer of at least this size. Null if memory is short: the connection has to end.</summary>
    byte[]? TryRent(int octets);

    /// <summary>Returns a buffer, once.</summary>
    void Return(byte[] buffer);

    private sealed class PoolBuffers : IStreamBuffers
    {
        public byte[]? TryRent(int octets) => ArrayPool<byte>.Shared.Rent(octets);

        public void Return(byte[] buffer) => ArrayPool<byte>.Shared.Return(buffer);
    }
}
