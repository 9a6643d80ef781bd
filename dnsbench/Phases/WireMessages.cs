using System.Buffers;
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>Phase 1: messages read and written, into reused and pooled output.</summary>
public class WireMessages
{
    private readonly byte[] _reused = new byte[4096];
    private byte[] _message = [];
    private byte[] _query = [];

    /// <summary>The message.</summary>
    [Params("one", "query", "aaaa", "alias", "twelve")]
    public string Message { get; set; } = "";

    /// <summary>Makes the query of its question.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        _message = SampleMessages.ByName(Message);
        _query = SampleMessages.QueryOf(_message);
    }

    /// <summary>Question and every record walked over spans; nothing is made.</summary>
    [Benchmark]
    public int Parse() => MessageWalk.Sum(_message);

    /// <summary>The responder's own writer, over the query in place.</summary>
    [Benchmark]
    public int WriteReused() => Respond(_reused);

    /// <summary>The same into an array rented for it.</summary>
    [Benchmark]
    public int WritePooled()
    {
        byte[] output = ArrayPool<byte>.Shared.Rent(4096);
        int length = Respond(output);
        ArrayPool<byte>.Shared.Return(output);
        return length;
    }

    private int Respond(byte[] output)
    {
        _query.CopyTo(output, 0);
        QueryOrigin origin = default;
        origin.Client.Port = 1;
        return SampleMessages.Responder.Respond(output, _query.Length, ref origin);
    }
}

/// <summary>A whole message walked by the readers of the product.</summary>
internal static class MessageWalk
{
    /// <summary>
    /// Reads the question, every owner and every fixed part; the sum keeps the reads alive.
    /// </summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal static int Sum(ReadOnlySpan<byte> octets)
    {
        Unsafe.SkipInit(out LookupName name);
        if (!MessageReader.TryOpen(octets, out MessageReader message) ||
            !message.TryReadQuestion(out QuestionReader question)) return -1;
        if (!question.TryReadName(ref name)) return -1;
        int sum = (int)name.Hash;
        RecordReader records = message.ReadRecords();
        while (records.TryRead()) sum += (int)records.Type + (int)records.Ttl;
        return records.IsAtEnd ? sum : -1;
    }
}
