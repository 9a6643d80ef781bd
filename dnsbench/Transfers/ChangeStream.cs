using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Dns.Bench;

/// <summary>
/// Changes the large zone of <see cref="ChurningZones"/> by UPDATE, over several connections with one message in flight
/// each. A change gives <see cref="Names"/> names another address: as many records are removed and added.
/// </summary>
internal sealed class ChangeStream(IPEndPoint primary, int names, int connections)
{
    /// <summary>Names of a change; it has two records for each.</summary>
    internal const int Names = 5;

    private const int ReceiveTimeoutMs = 60_000;
    private static int _address;
    private readonly Lock _lock = new();
    private readonly List<long> _acknowledged = [];
    private readonly List<Exception> _failures = [];

    /// <summary>Number of changes that the primary has acknowledged. Each increases the serial by one.</summary>
    internal int Acknowledged
    {
        get
        {
            lock (_lock) return _acknowledged.Count;
        }
    }

    /// <summary>
    /// When a change was acknowledged, as a timestamp of <see cref="Stopwatch"/>; now for one whose acknowledgement is
    /// in flight.
    /// </summary>
    /// <param name="change">Its number, from 1.</param>
    internal long TimeOf(int change)
    {
        lock (_lock) return change <= _acknowledged.Count ? _acknowledged[change - 1] : Stopwatch.GetTimestamp();
    }

    /// <summary>Sends changes until the time is over, and returns when all are acknowledged.</summary>
    /// <param name="rate">Changes a second; 0 = as fast as possible.</param>
    /// <param name="seconds">The duration.</param>
    /// <exception cref="InvalidDataException">The primary refused one, or did not answer.</exception>
    internal void Run(int rate, double seconds)
    {
        long began = Stopwatch.GetTimestamp();
        Thread[] threads = [.. Enumerable.Range(0, connections)
            .Select(number => new Thread(() => Send(number, began, rate, seconds)))];
        foreach (Thread thread in threads) thread.Start();
        foreach (Thread thread in threads) thread.Join();
        if (_failures.Count > 0) throw new InvalidDataException($"a change failed: {_failures[0].Message}");
    }

    private void Send(int number, long began, int rate, double seconds)
    {
        try
        {
            using TcpClient connection = new() { NoDelay = true, ReceiveTimeout = ReceiveTimeoutMs };
            connection.Connect(primary);
            Random random = new(number);
            byte[] room = new byte[2048];
            // The connections take turns: the first change of this one, and every so many after it.
            for (long change = number; ; change += connections)
            {
                double due = rate == 0 ? 0 : (double)change / rate, now = Stopwatch.GetElapsedTime(began).TotalSeconds;
                if (Math.Max(due, now) >= seconds) return;
                // An open load: each change has a due time, whatever the answers take.
                if (due > now) Thread.Sleep(TimeSpan.FromSeconds(due - now));
                Exchange(connection.GetStream(), random, room);
                lock (_lock) _acknowledged.Add(Stopwatch.GetTimestamp());
            }
        }
        catch (Exception error) when (error is IOException or SocketException or InvalidDataException)
        {
            lock (_lock) _failures.Add(error);
        }
    }

    private void Exchange(NetworkStream stream, Random random, byte[] room)
    {
        int octets = WriteMessage(room.AsSpan(2), random, names);
        (room[0], room[1]) = ((byte)(octets >> 8), (byte)octets);
        stream.Write(room, 0, octets + 2);
        stream.ReadExactly(room, 0, 2);
        octets = room[0] << 8 | room[1];
        stream.ReadExactly(room, 0, octets);
        int rcode = MessageHeader.Flags(room) & MessageHeader.RcodeMask;
        if (rcode != 0) throw new InvalidDataException($"an update got {(Rcode)rcode}");
    }

    /// <summary>Writes one change.</summary>
    /// <returns>The length of the message in octets.</returns>
    internal static int WriteMessage(Span<byte> room, Random random, int names)
    {
        MessageWriter writer = new(room, names: null);
        writer.WriteHeader((ushort)random.Next(65536), (int)Opcode.Update << 11);
        writer.TryWriteQuestion(DomainName.Parse(ChurningZones.Apex).Octets, RRType.SOA, RRClass.IN);
        int first = random.Next(names);
        for (int i = 0; i < Names; i++)
        {
            // Spread over the zone, and distinct while the zone has enough names.
            int name = (int)((first + (long)i * names / Names) % names);
            ReadOnlySpan<byte> owner = DomainName.Parse($"n{name}.{ChurningZones.Apex}").Octets;
            writer.Begin(MessageSection.Authority, owner, RRType.A, RRClass.ANY, 0);
            writer.TryEnd();
            // Never the previous address: a change without effect would not change the serial.
            int address = Interlocked.Increment(ref _address);
            writer.TryWrite(
                MessageSection.Authority, owner, RRType.A, RRClass.IN, 60,
                [172, (byte)(address >> 16), (byte)(address >> 8), (byte)address]);
        }
        return writer.Finish();
    }
}
