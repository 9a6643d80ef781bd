using System.Globalization;
using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

/// <summary>
/// Queries and what is nearly a query, to responders of several settings: no exception, and every reply keeps the rules
/// of all replies. Environment: <c>DNS_FUZZ_SEED</c> repeats a run, <c>DNS_FUZZ_CASES</c> makes it longer.
/// </summary>
public class PacketFuzz(ITestOutputHelper output)
{
    private const int Cases = 200_000;

    /// <summary>
    /// Enough for the largest answer of the example zones; a whole frame would mostly measure how fast it is filled.
    /// </summary>
    private const int StreamRoom = 8192;

    private static readonly ResponderOptions[] Settings =
    [
        new(),
        new() { MaxUdpPayload = 512, Identity = new string('i', 255), RotateRRsets = true, MinimalAny = false },
        new() { MaxUdpPayload = 4096, Identity = "ns1", Version = "1" },
    ];

    private readonly byte[] _room = new byte[StreamRoom];
    private readonly byte[] _otherRoom = new byte[StreamRoom];

    [Fact]
    public void Mutated_packets_never_break_the_rules_of_replies()
    {
        int seed = Setting("DNS_FUZZ_SEED", Environment.TickCount);
        int cases = Setting("DNS_FUZZ_CASES", Cases);
        output.WriteLine($"DNS_FUZZ_SEED={seed}");
        Random random = new(seed);
        PublishedZones zones = ExampleZones.Served.Published;
        Responder[] responders = [.. Settings.Select(setting => new Responder(zones, setting))];
        Responder[] encoders =
            [.. Settings.Select(setting => new Responder(zones, setting with { UseCachedOctets = false }))];
        QueryGenerator queries = new(random, [.. zones.Current.Slots.Select(slot => slot.Zone!)]);
        for (int i = 0; i < cases; i++)
        {
            byte[] packet = random.Next(10) switch
            {
                < 4 => queries.NextQuery(),
                < 9 => queries.Mutate(queries.NextQuery()),
                _ => queries.NextNoise(),
            };
            int setting = random.Next(Settings.Length);
            DnsTransport transport = random.Next(4) == 0 ? DnsTransport.Tcp : DnsTransport.Udp;
            try
            {
                Check(responders[setting], encoders[setting], Settings[setting].MaxUdpPayload, packet, transport);
            }
            catch (Exception exception)
            {
                Assert
                    .Fail(
                        $"DNS_FUZZ_SEED={seed} case {i}, setting {setting}, {transport}: {exception}\n" +
                            $"{Convert.ToHexString(packet)}");
            }
        }
    }

    private void Check(Responder responder, Responder encoder, int maxUdpPayload, byte[] packet, DnsTransport transport)
    {
        bool isDatagram = !transport.IsReliable;
        int room = isDatagram ? maxUdpPayload : StreamRoom;
        int length = Respond(responder, _room.AsSpan(0, room), 0xCC, packet, transport);
        int again = Respond(encoder, _otherRoom.AsSpan(0, room), 0x33, packet, transport);
        // What lay in the room before is neither sent nor looked at, and octets made ready are those of the encoder.
        Assert.True(_room.AsSpan(0, length).SequenceEqual(_otherRoom.AsSpan(0, again)),
            "old octets of the room, or of another answer");
        bool isQuery = packet.Length >= MessageHeader.LengthOctets && (packet[2] & 0x80) == 0;
        Assert.Equal(isQuery, length > 0);
        if (!isQuery) return;
        Reply reply = Reply.Read(_room[..length]);
        ReplyRules.Check(packet, reply,
            isDatagram ? Math.Min(ReplyRules.PayloadOf(packet), maxUdpPayload) : StreamRoom);
        if ((packet[2] & 0x78) != 0) Assert.True(reply.Rcode is Rcode.NotImp or Rcode.BadVers, $"{reply.Rcode}");
        else if (packet.Length > room || !WellFormedQuery.Matches(packet))
            Assert.True(reply.Rcode == Rcode.FormErr || reply.Rcode == Rcode.BadVers && HasNewerEdns(packet),
                $"{reply.Rcode}");
        else Assert.True(reply.Rcode != Rcode.FormErr || reply.Question.Length > 0,
            "a well-formed query without an answer");
    }

    // Without a question the records are read for a cookie, and thus for a version of EDNS.
    private static bool HasNewerEdns(byte[] packet)
    {
        if (!MessageReader.TryOpen(packet, out MessageReader message) || message.Count(MessageSection.Question) != 0)
            return false;
        RecordReader records = message.ReadRecords();
        while (records.TryRead())
            if (records.Type == RRType.OPT) return (records.Ttl >> 16 & 0xFF) > 0;
        return false;
    }

    private static int Respond(Responder responder, Span<byte> room, byte filler, byte[] packet, DnsTransport transport)
    {
        room.Fill(filler);
        packet.AsSpan(0, Math.Min(packet.Length, room.Length)).CopyTo(room);
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Loopback, 53000));
        return responder.Respond(room, packet.Length, transport, ref client);
    }

    private static int Setting(string name, int fallback) =>
        int.TryParse(Environment.GetEnvironmentVariable(name), CultureInfo.InvariantCulture, out int value)
            ? value : fallback;
}
