using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Dns.Bench;

/// <summary>Requests a zone by AXFR, reads every record of every message, and counts.</summary>
internal sealed class TransferSink
{
    private const int BufferOctets = 1 << 20;

    /// <summary>Messages.</summary>
    internal long Messages { get; private set; }

    /// <summary>Octets of the messages with their lengths in front.</summary>
    internal long Octets { get; private set; }

    /// <summary>Records, the SOA twice.</summary>
    internal long Records { get; private set; }

    /// <summary>Seconds from the query to the last octet.</summary>
    internal double Seconds { get; private set; }

    /// <summary>Gets a zone.</summary>
    /// <exception cref="InvalidDataException">The transfer is incomplete.</exception>
    internal static TransferSink Run(IPEndPoint server, string zone)
    {
        TransferSink sink = new();
        using Socket socket =
            new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 120_000 };
        socket.Connect(server);
        byte[] query = QueryText.Encode(zone, RRType.AXFR);
        byte[] framed = [(byte)(query.Length >> 8), (byte)query.Length, .. query];
        long began = Stopwatch.GetTimestamp();
        socket.Send(framed);
        sink.Receive(socket);
        sink.Seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        return sink;
    }

    private void Receive(Socket socket)
    {
        byte[] buffer = new byte[BufferOctets];
        int filled = 0, soas = 0;
        while (soas < 2)
        {
            int received = socket.Receive(buffer.AsSpan(filled));
            if (received == 0) throw new InvalidDataException($"the connection ended after {Records} records");
            filled += received;
            int taken = 0;
            while (filled - taken >= 2 && BinaryPrimitives.ReadUInt16BigEndian(buffer.AsSpan(taken)) is var length
                && filled - taken >= 2 + length)
            {
                soas += Read(buffer.AsSpan(taken + 2, length));
                taken += 2 + length;
                Octets += 2 + length;
            }
            buffer.AsSpan(taken, filled - taken).CopyTo(buffer);
            filled -= taken;
        }
        if (filled > 0) throw new InvalidDataException("something came behind the last SOA");
    }

    /// <returns>How many SOA records the message has.</returns>
    private int Read(ReadOnlySpan<byte> octets)
    {
        if (!MessageReader.TryOpen(octets, out MessageReader message) || message.HeaderRcode != Rcode.NoError)
            throw new InvalidDataException(
                $"a message that is no answer: {Convert.ToHexString(octets[..Math.Min(12, octets.Length)])}");
        int soas = 0;
        RecordReader records = message.ReadRecords();
        while (records.TryRead())
        {
            if (records.Section != MessageSection.Answer) continue;
            if (records.Type == RRType.SOA) soas++;
            else if (Records == 0) throw new InvalidDataException("the first record is no SOA");
            Records++;
        }
        if (!records.IsAtEnd) throw new InvalidDataException("a message with a malformed record");
        Messages++;
        return soas;
    }
}
