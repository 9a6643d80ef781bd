using System.Buffers;
using System.Buffers.Binary;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>Phase 2: memory of a datagram, and the writer of its answer.</summary>
public class PacketBuffers
{
    private const int Octets = 1232;
    private const int DatagramOctets = 45;
    private const int Fields = 64;
    private static readonly RecyclableStreams Streams = new();
    private readonly byte[] _kernel = new byte[Octets];
    private readonly byte[] _lane = new byte[Octets];
    private readonly MemoryStream _reused = new(Octets);

    /// <summary>The worker's own slot.</summary>
    [Benchmark]
    public int BufferLaneOwned()
    {
        _kernel.AsSpan(0, DatagramOctets).CopyTo(_lane);
        return _lane[2];
    }

    /// <summary>Rented from a MemoryPool for the datagram. The owner object is made anew by the pool.</summary>
    [Benchmark]
    public int BufferFromMemoryPool()
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(Octets);
        _kernel.AsSpan(0, DatagramOctets).CopyTo(owner.Memory.Span);
        return owner.Memory.Span[2];
    }

    /// <summary>Baseline: a new buffer for the datagram.</summary>
    [Benchmark(Baseline = true)]
    public int BufferFresh()
    {
        byte[] buffer = new byte[Octets];
        _kernel.AsSpan(0, DatagramOctets).CopyTo(buffer);
        return buffer[2];
    }

    /// <summary>Baseline: a new array of the datagram's length and Buffer.BlockCopy.</summary>
    [Benchmark]
    public int BufferBlockCopied()
    {
        byte[] buffer = new byte[DatagramOctets];
        Buffer.BlockCopy(_kernel, 0, buffer, 0, DatagramOctets);
        return buffer[2];
    }

    /// <summary>64 fields of 16 bits over a span.</summary>
    [Benchmark]
    public int WriteSpan()
    {
        Span<byte> output = _lane;
        for (int i = 0; i < Fields; i++) BinaryPrimitives.WriteUInt16BigEndian(output[(i * 2)..], (ushort)i);
        return output[1];
    }

    /// <summary>Baseline: the same into a new MemoryStream.</summary>
    [Benchmark]
    public long WriteStreamFresh()
    {
        using MemoryStream output = new();
        return Write(output);
    }

    /// <summary>Baseline: the same into a MemoryStream used again.</summary>
    [Benchmark]
    public long WriteStreamReused()
    {
        _reused.SetLength(0);
        return Write(_reused);
    }

    /// <summary>Baseline: the same into a MemoryStream from a pool.</summary>
    [Benchmark]
    public long WriteStreamPooled()
    {
        MemoryStream output = Streams.Take();
        long length = Write(output);
        Streams.Put(output);
        return length;
    }

    private static long Write(MemoryStream output)
    {
        for (int i = 0; i < Fields; i++)
        {
            output.WriteByte((byte)(i >> 8));
            output.WriteByte((byte)i);
        }
        return output.Length;
    }

    private sealed class RecyclableStreams
    {
        private readonly Stack<MemoryStream> _free = new();

        internal MemoryStream Take() => _free.TryPop(out MemoryStream? stream) ? stream : new MemoryStream(Octets);

        internal void Put(MemoryStream stream)
        {
            stream.SetLength(0);
            _free.Push(stream);
        }
    }
}
