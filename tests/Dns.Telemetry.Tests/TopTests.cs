using System.Net;
using System.Text;

namespace Dns.Telemetry.Tests;

public class TopTests
{
    private static ClientAddress _client = ClientAddress.From(IPEndPoint.Parse("192.0.2.7:5353"));

    [Fact]
    public void What_is_frequent_stays_among_ten_thousand_keys_that_are_not()
    {
        TopTable table = new(64, 16);
        for (int i = 0; i < 10_000; i++)
        {
            table.Add(Encoding.ASCII.GetBytes($"rare {i}"), 1);
            if (i % 10 == 0) table.Add("often"u8, 1);
        }
        List<(byte[] Key, double Weight)> top = table.Read(5);
        Assert.Equal("often", Encoding.ASCII.GetString(top[0].Key));
        // Never too low, and too high by at most the average weight of a table entry.
        Assert.InRange(top[0].Weight, 1000, 1000 + 11_000 / 64);
        Assert.Equal(11_000, table.Total);
        Assert.Equal(5, top.Count);
        Assert.Equal(64, table.Read(1000).Count);
    }

    [Fact]
    public void What_was_frequent_fades()
    {
        TopTable table = new(4, 16);
        table.Add("old"u8, 100);
        for (int i = 0; i < 10; i++) table.Fade(0.5);
        table.Add("new"u8, 1);
        Assert.Equal("new", Encoding.ASCII.GetString(table.Read(1)[0].Key));
    }

    [Fact]
    public void A_key_that_is_too_long_is_left_out()
    {
        TopTable table = new(4, 3);
        table.Add("four"u8, 1);
        Assert.Empty(table.Read(4));
    }

    [Fact]
    public void Names_are_counted_whatever_their_case_and_shown_escaped()
    {
        TopClients top = new();
        byte[] first = TelemetrySources.Message([8, .. "<SCRIPT>"u8, 4, .. "te\"t"u8, 0]);
        byte[] second = TelemetrySources.Message([8, .. "<script>"u8, 4, .. "Te\"T"u8, 0]);
        Assert.True(top.TryAdd(first, ref _client, 3));
        Assert.True(top.TryAdd(second, ref _client, 1));
        Assert.Equal([new TopEntry("<script>.te\\\"t.", 1)], top.ReadNames(10));
        Assert.Equal([new TopEntry("192.0.2.7", 1)], top.ReadClients(10));
    }

    [Theory]
    [InlineData(new byte[] { })]
    [InlineData(new byte[] { 63, 1, 2 })]
    [InlineData(new byte[] { 0xC0, 12 })]
    [InlineData(new byte[] { 0x40, 0 })]
    public void A_message_without_a_whole_name_counts_for_its_client_alone(byte[] name)
    {
        TopClients top = new();
        byte[] message = [0, 1, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, .. name];
        Assert.True(top.TryAdd(message, ref _client, 1));
        Assert.Empty(top.ReadNames(10));
        Assert.Single(top.ReadClients(10));
    }

    [Fact]
    public void Everything_fades_alike()
    {
        TopTable table = new(4, 16);
        table.Add("a"u8, 8);
        table.Fade(0.5);
        Assert.Equal((4.0, 4.0), (table.Total, table.Read(1)[0].Weight));
    }

    [Fact]
    public void A_name_of_255_octets_counts_and_one_of_256_does_not()
    {
        byte[] label = [63, .. Enumerable.Repeat((byte)'a', 63)];
        ClientAddress client = default;
        TopClients top = new();
        Assert.True(top.TryAdd(
            TelemetrySources.Message([.. label, .. label, .. label, 62, .. new byte[62], 0]), ref client, 1));
        Assert.Empty(top.ReadNames(1));
        Assert.True(top.TryAdd(
            TelemetrySources.Message([.. label, .. label, .. label, 61, .. new byte[61], 0]), ref client, 1));
        Assert.Single(top.ReadNames(1));
    }
}
