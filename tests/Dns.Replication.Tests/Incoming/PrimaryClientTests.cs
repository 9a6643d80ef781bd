using System.Buffers;
using System.Buffers.Binary;
using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>A transfer that is ended while one of its messages is read.</summary>
public sealed class PrimaryClientTests
{
    [Fact]
    public async Task The_buffer_of_a_message_is_no_other_connection_s_while_it_is_read()
    {
        using CancellationTokenSource end = new();
        ReplyStream stream = new();
        byte[] other = [];
        // The time is read when a message has arrived, just before it is parsed.
        InterruptingClock time = new(() =>
        {
            if (!stream.HasReplied || end.IsCancellationRequested) return;
            end.Cancel();
            other = ArrayPool<byte>.Shared.Rent(stream.BufferBytes);
            Array.Fill(other, (byte)0xFF);
        });
        MonotonicClock clock = new(time);
        using TimingWheel wheel = new(clock);
        StreamNetwork network = new(_ => stream);
        PrimaryClient client = new(network, clock, wheel, new Random(1));
        TransferOrder order = new(DomainName.Parse(PrimaryMessages.Zone), null, new SecondaryOptions());
        PeerAddress primary = new(IPEndPoint.Parse("192.0.2.1:53"));
        TransferReader reader = await client.TransferAsync(primary, order, _ => { }, end.Token);
        Assert.NotEmpty(other);
        Assert.Null(reader.Failure);
        Assert.Equal(6u, reader.Zone!.Serial);
        Assert.True(stream.IsDisposed);
    }

    private sealed class InterruptingClock(Action interrupt) : TimeProvider
    {
        public override long GetTimestamp() => 0;

        public override DateTimeOffset GetUtcNow()
        {
            interrupt();
            return DateTimeOffset.UnixEpoch.AddYears(50);
        }
    }

    /// <summary>A primary that sends a zone in one message.</summary>
    private sealed class ReplyStream : IByteStream
    {
        private ushort _id;

        public bool HasReplied { get; private set; }

        public bool IsDisposed { get; private set; }

        public int BufferBytes { get; private set; }

        public ValueTask<bool> OpenAsync() => new(true);

        public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets)
        {
            _id = BinaryPrimitives.ReadUInt16BigEndian(octets.Span[2..]);
            return new(octets.Length);
        }

        public ValueTask<int> ReceiveAsync(Memory<byte> room)
        {
            QueryMessage message = new()
            {
                Id = _id,
                Flags = MessageHeader.QueryResponse | MessageHeader.AuthoritativeAnswer,
                Question = WireOctets.Question(PrimaryMessages.Zone, RRType.AXFR),
                Answer =
                    [.. new[] { "@ SOA 6", "@ NS ns.z.test", "ns A 192.0.2.1", "@ SOA 6" }
                        .Select(PrimaryMessages.Record)],
            };
            byte[] octets = message.ToOctets();
            BinaryPrimitives.WriteUInt16BigEndian(room.Span, (ushort)octets.Length);
            octets.CopyTo(room[2..]);
            (HasReplied, BufferBytes) = (true, room.Length);
            return new(2 + octets.Length);
        }

        public void Close() => IsDisposed = true;
    }
}
