using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Asks for transfers without a network.</summary>
internal static class TransferCalls
{
    /// <summary>A client.</summary>
    public static ClientAddress Client(string address = "127.0.0.1") =>
        ClientAddress.From(new IPEndPoint(IPAddress.Parse(address), 53000));

    /// <summary>An IXFR query (RFC 1995 §3).</summary>
    public static QueryMessage Ixfr(string apex, uint serial) => QueryMessage.For(apex + " IXFR") with
    {
        Authority = [WireOctets.Record(apex, RRType.SOA, 1, 0, [0, 0, .. WireOctets.UInt32(serial), .. new byte[16]])],
    };

    /// <summary>Asks over TCP, or over UDP.</summary>
    public static TransferReply Ask(
        this OutgoingTransfers transfers, ZoneSlot slot, byte[] query, out byte[] room, bool isDatagram = false,
        string from = "127.0.0.1")
    {
        room = new byte[isDatagram ? 1232 : ushort.MaxValue];
        query.CopyTo(room, 0);
        ClientAddress client = Client(from);
        QueryOrigin origin = new(in client, isDatagram ? DnsTransport.Udp : DnsTransport.Tcp, 0);
        return transfers.Answer(room, query.Length, ref origin, ZoneSet.Create([slot]));
    }

    /// <summary>The records of a transfer as text.</summary>
    public static List<string> Records(IEnumerable<byte[]> messages) =>
        [.. messages.SelectMany(message => Reply.Read(message).Answer).Select(record => record.ToString())];

    /// <summary>Writes the next twenty messages of a sequence over one another.</summary>
    public static void WriteTwenty(IReplySequence sequence, byte[] room)
    {
        for (int i = 0; i < 20; i++) Assert.True(sequence.WriteNext(room, out _) == SequenceStep.Written);
    }

    /// <summary>All messages of a sequence, which is disposed.</summary>
    public static List<byte[]> Pull(this IReplySequence sequence, int room = ushort.MaxValue)
    {
        using (sequence)
        {
            List<byte[]> messages = [];
            byte[] buffer = new byte[room];
            while (sequence.WriteNext(buffer, out int octets) == SequenceStep.Written) messages.Add(buffer[..octets]);
            Assert.Equal(SequenceStep.Ended, sequence.WriteNext(buffer, out _));
            return messages;
        }
    }
}
