using System.Buffers;

namespace Dns.Transport.Tests;

/// <summary>
/// Hands out arrays full of 0xCC and counts those that have not come back, so that old octets cannot shine
/// through unseen and a leak shows.
/// </summary>
internal sealed class PoisonedArrayPool : ArrayPool<byte>
{
    private int _outstanding;
    private int _largest;
    private long _outstandingBytes;

    public int Outstanding => Volatile.Read(ref _outstanding);

    public long OutstandingBytes => Volatile.Read(ref _outstandingBytes);

    /// <summary>The most arrays that were out at once.</summary>
    public int Largest => Volatile.Read(ref _largest);

    public override byte[] Rent(int minimumLength)
    {
        int now = Interlocked.Increment(ref _outstanding);
        InterlockedMax(ref _largest, now);
        Interlocked.Add(ref _outstandingBytes, minimumLength);
        byte[] array = new byte[minimumLength];
        array.AsSpan().Fill(0xCC);
        return array;
    }

    public override void Return(byte[] array, bool clearArray = false)
    {
        array.AsSpan().Fill(0xCC);
        Interlocked.Add(ref _outstandingBytes, -array.Length);
        Interlocked.Decrement(ref _outstanding);
    }

    private static void InterlockedMax(ref int target, int value)
    {
        for (int seen = target; value > seen; seen = target)
        {
            if (Interlocked.CompareExchange(ref target, value, seen) == seen)
            {
                return;
            }
        }
    }
}

/// <summary>Buffers of one connection from a pool, without a bound.</summary>
internal sealed class PooledStreamBuffers(ArrayPool<byte> pool) : IStreamBuffers
{
    public byte[]? TryRent(int octets) => pool.Rent(octets);

    public void Return(byte[] buffer) => pool.Return(buffer);
}

/// <summary>The same for memory.</summary>
internal sealed class PoisonedMemoryPool : MemoryPool<byte>
{
    private int _outstanding;
    private int _rented;

    public int Outstanding => Volatile.Read(ref _outstanding);

    public int Rented => Volatile.Read(ref _rented);

    public override int MaxBufferSize => int.MaxValue;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        Interlocked.Increment(ref _outstanding);
        Interlocked.Increment(ref _rented);
        byte[] array = new byte[minBufferSize];
        array.AsSpan().Fill(0xCC);
        return new Owner(this, array);
    }

    protected override void Dispose(bool disposing)
    {
    }

    private sealed class Owner(PoisonedMemoryPool pool, byte[] array) : IMemoryOwner<byte>
    {
        private int _disposed;

        public Memory<byte> Memory => array;

        public void Dispose()
        {
            Assert.Equal(0, Interlocked.Exchange(ref _disposed, 1));
            Interlocked.Decrement(ref pool._outstanding);
        }
    }
}
