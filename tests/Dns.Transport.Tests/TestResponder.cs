using System.Buffers.Binary;

namespace Dns.Transport.Tests;

/// <summary>
/// Answers every message of at least 12 octets with itself and QR set, so that octets that were never
/// received would show. The second octet pair of the header, when not 0, asks for an answer of that many
/// octets, filled with the low octet of the ID. What <see cref="IsLater"/> says is answered by the test.
/// </summary>
internal sealed class TestResponder : IMessageResponder
{
    private int _batches;

    /// <summary>Called before a message is answered.</summary>
    public Action? Answering { get; set; }

    /// <summary>Which queries, by their ID, are answered later: their paths go to <see cref="Taken"/>.</summary>
    public Func<ushort, bool>? IsLater { get; init; }

    /// <summary>Given the path and the ID of every query that is answered later.</summary>
    public Action<ReplyPath, ushort> Taken { get; set; } = (_, _) => { };

    /// <summary>The client seen last.</summary>
    public ClientAddress LastClient { get; private set; }

    /// <summary>The origin of the last message, if it was not in a batch.</summary>
    public DnsTransport LastTransport { get; private set; }

    /// <summary>The largest batch seen.</summary>
    public int LargestBatch { get; private set; }

    public int Batches => Volatile.Read(ref _batches);

    public static byte[] Query(ushort id, int octets = 12, int answerOctets = 0)
    {
        byte[] query = new byte[octets];
        for (int i = 4; i < octets; i++)
        {
            query[i] = (byte)i;
        }

        BinaryPrimitives.WriteUInt16BigEndian(query, id);
        BinaryPrimitives.WriteUInt16BigEndian(query.AsSpan(2), (ushort)answerOctets);
        return query;
    }

    /// <summary>What the answer to a query is.</summary>
    public static byte[] Answer(byte[] query)
    {
        int octets = BinaryPrimitives.ReadUInt16BigEndian(query.AsSpan(2));
        byte[] answer = new byte[Math.Max(octets, query.Length)];
        query.CopyTo(answer, 0);
        return answer[..Write(answer, query.Length)];
    }

    public void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths)
    {
        int slotOctets = batch.SlotOctets;
        Span<int> lengths = batch.Lengths;
        Interlocked.Increment(ref _batches);
        LargestBatch = Math.Max(LargestBatch, lengths.Length);
        if (batch.Clients.Length != lengths.Length)
        {
            throw new ArgumentException("The batch does not agree with itself.");
        }

        for (int i = 0; i < lengths.Length; i++)
        {
            Answering?.Invoke();
            LastClient = batch.Clients[i];
            Span<byte> slot = batch.Slot(i);
            if (lengths[i] > slotOctets)
            {
                slot[2] |= 0x80;
                lengths[i] = 12;
            }
            else if (TryTake(slot[..lengths[i]], paths, i))
            {
                lengths[i] = 0;
            }
            else
            {
                lengths[i] = lengths[i] < 12 ? 0 : Write(slot, lengths[i]);
            }
        }
    }

    public int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths)
    {
        Answering?.Invoke();
        LastClient = origin.Client;
        LastTransport = origin.Transport;
        return queryOctets < 12 || TryTake(message[..queryOctets], paths, 0) ? 0 : Write(message, queryOctets);
    }

    private bool TryTake(ReadOnlySpan<byte> query, IReplyPaths paths, int slot)
    {
        if (IsLater is null || query.Length < 12)
        {
            return false;
        }

        ushort id = BinaryPrimitives.ReadUInt16BigEndian(query);
        if (!IsLater(id))
        {
            return false;
        }

        Taken(paths.TakePath(slot), id);
        return true;
    }

    private static int Write(Span<byte> message, int queryOctets)
    {
        int octets = BinaryPrimitives.ReadUInt16BigEndian(message[2..]);
        message[2] |= 0x80;
        if (octets == 0)
        {
            return queryOctets;
        }

        octets = Math.Min(octets, message.Length);
        message[4..octets].Fill(message[1]);
        return octets;
    }
}
