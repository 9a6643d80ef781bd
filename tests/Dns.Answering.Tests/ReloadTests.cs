using System.Buffers.Binary;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

public class ReloadTests
{
    private const int Versions = 400;
    private const int Readers = 3;
    private const string Other = "@ 60 SOA ns h 1 2 3 4 5\n@ 60 NS ns\nback 60 CNAME far.live.test.\n";

    [Fact]
    public async Task Every_answer_is_wholly_of_one_version_while_zones_are_published()
    {
        Zone[] versions = [.. Enumerable.Range(1, Versions).Select(Version)];
        ZoneSlot slot = new(DomainName.Parse("live.test")), other = ServedZones.SlotOf("other.test", Other);
        slot.Publish(versions[0]);
        ServedZones zones = new(new ResponderOptions(), slot, other);
        using CancellationTokenSource done = new();
        using CountdownEvent started = new(Readers);
        Task<int>[] readers =
            [.. Enumerable.Range(0, Readers).Select(_ => Task.Run(() => Read(zones, started, done.Token)))];
        started.Wait();
        for (int round = 0; round < 5; round++)
        {
            foreach (Zone version in versions)
            {
                slot.Publish(version);
                // The set of zones changes too, with the same slots in it.
                zones.Published.Publish(ZoneSet.Create([other, slot]));
            }
        }
        done.Cancel();
        int[] answers = await Task.WhenAll(readers);
        Assert.All(answers, count => Assert.True(count > 0));
    }

    private static int Read(ServedZones zones, CountdownEvent started, CancellationToken done)
    {
        byte[] version = WireOctets.Option(EdnsOptionCode.ZoneVersion, []);
        byte[] positive = QueryMessage.For("www.live.test MX").WithEdns(1232, false, version).ToOctets();
        byte[] negative = QueryMessage.For("nx.live.test").WithEdns(1232, false, version).ToOctets();
        byte[] alias = QueryMessage.For("alias.live.test TXT").WithEdns(1232, false, version).ToOctets();
        int count = 0;
        for (bool isLast = false; !isLast; count++)
        {
            isLast = done.IsCancellationRequested;
            Reply reply = zones.Ask((count % 3) switch { 0 => positive, 1 => negative, _ => alias });
            uint serial = Convert.ToUInt32(reply.Options[0][^8..], 16);
            if (count % 3 == 2)
            {
                // The chain leaves the zone and returns: to the version that it left.
                Assert.Equal(["back.other.test.", "far.live.test.", $"\"{serial}\""],
                    reply.Answer.Select(record => record.RdataText));
            }
            else if (count % 3 == 1)
            {
                Assert.Equal(serial, BinaryPrimitives.ReadUInt32BigEndian(reply.Authority[0].Rdata.AsSpan()[^20..]));
            }
            else
            {
                Assert.Equal([$"{serial} mx{serial}.live.test."], reply.Answer.Select(record => record.RdataText));
                Assert.Equal([$"10.0.{serial >> 8}.{serial & 255}"],
                    reply.Additional.Select(record => record.RdataText));
            }
            if (count == 0) started.Signal();
        }
        return count;
    }

    private static Zone Version(int serial)
    {
        ZoneBuilder builder = new(WireOctets.Name("live.test"));
        byte[] name = WireOctets.Name("ns.live.test"), exchange = WireOctets.Name($"mx{serial}.live.test");
        byte[] numbers = [.. WireOctets.UInt32((uint)serial), .. WireOctets.UInt32(2), .. WireOctets.UInt32(3),
            .. WireOctets.UInt32(4), .. WireOctets.UInt32(5)];
        builder.Add(WireOctets.Name("live.test"), false, RRType.SOA, 60, [.. name, .. name, .. numbers]);
        builder.Add(WireOctets.Name("www.live.test"), false, RRType.MX, 60,
            [.. WireOctets.UInt16(serial), .. exchange]);
        builder.Add(WireOctets.Name("alias.live.test"), false, RRType.CNAME, 60, WireOctets.Name("back.other.test"));
        string text = serial.ToString(System.Globalization.CultureInfo.InvariantCulture);
        builder.Add(WireOctets.Name("far.live.test"), false, RRType.TXT, 60,
            [(byte)text.Length, .. System.Text.Encoding.ASCII.GetBytes(text)]);
        builder.Add(exchange, false, RRType.A, 60, [10, 0, (byte)(serial >> 8), (byte)serial]);
        return builder.Build();
    }
}
