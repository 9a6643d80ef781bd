using System.Buffers.Binary;

namespace Dns.Transport.Tests;

/// <summary>A reply of many messages, each filled with its number; counts the calls.</summary>
/// <param name="id">The ID of every message.</param>
/// <param name="messages">How many there are.</param>
/// <param name="octets">Length of each.</param>
internal sealed class NumberedSequence(ushort id, int messages, int octets) : IReplySequence
{
    private int _disposed;
    private int _pulls;
    private int _written;
    private int _inside;

    /// <summary>Called at each pull, with the number of the next message; its result replaces the message.</summary>
    public Func<int, SequenceStep?>? Pulling { get; init; }

    /// <summary>Called when it is disposed.</summary>
    public Action? Disposing { get; init; }

    public int Disposed => Volatile.Read(ref _disposed);

    public int Pulls => Volatile.Read(ref _pulls);

    public int Written => Volatile.Read(ref _written);

    /// <summary>The message of a number.</summary>
    public static byte[] Message(ushort id, int number, int octets)
    {
        byte[] message = new byte[octets];
        Write(message, id, number);
        return message;
    }

    public SequenceStep WriteNext(Span<byte> room, out int written)
    {
        if (Interlocked.Increment(ref _inside) != 1 || Disposed != 0)
            throw new InvalidOperationException("Pulled twice, or after its end.");
        Interlocked.Increment(ref _pulls);
        SequenceStep step = Pulling?.Invoke(_written) ?? Step(room);
        written = 0;
        if (step == SequenceStep.Written)
        {
            Write(room[..octets], id, _written);
            written = octets;
            Volatile.Write(ref _written, _written + 1);
        }

        Interlocked.Decrement(ref _inside);
        return step;
    }

    public void Dispose()
    {
        Interlocked.Increment(ref _disposed);
        Disposing?.Invoke();
    }

    private SequenceStep Step(Span<byte> room) =>
        _written == messages
            ? SequenceStep.Ended : room.Length < octets ? SequenceStep.NeedsRoom : SequenceStep.Written;

    private static void Write(Span<byte> message, ushort id, int number)
    {
        message.Fill((byte)number);
        BinaryPrimitives.WriteUInt16BigEndian(message, id);
        message[2] = 0x80;
        BinaryPrimitives.WriteInt32BigEndian(message[4..], number);
    }
}
