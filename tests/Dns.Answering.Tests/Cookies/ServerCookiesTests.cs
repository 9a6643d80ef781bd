using System.Buffers.Binary;
using System.Net;
using Xunit;

namespace Dns.Answering.Tests;

public class ServerCookiesTests
{
    private const string Client = "2464C4ABCF10C957";

    /// <summary>The examples of RFC 9018, appendix A: time, query option and reply option.</summary>
    [Theory, Trait("RFC", "9018 A")]
    [InlineData("198.51.100.100", 0x5CF79F11, "2464c4abcf10c957", "2464c4abcf10c957010000005cf79f111f8130c3eee29480")]
    [InlineData("198.51.100.100", 0x5CF7A871, "2464c4abcf10c957010000005cf79f111f8130c3eee29480",
        "2464c4abcf10c957010000005cf7a871d4a564a1442aca77")]
    public void The_examples_of_the_standard_come_out(string address, long time, string sent, string answered)
    {
        ServerCookies cookies = new([Secret("e5e973e5a6b2a43f48e7dc849e37bfcf")], time);
        Assert.Equal(answered.ToUpperInvariant(), Exchange(cookies, sent, address, out _));
    }

    [Fact, Trait("RFC", "9018 A.3")]
    public void Reserved_bits_are_hashed_as_they_came()
    {
        ServerCookies cookies = new([Secret("e5e973e5a6b2a43f48e7dc849e37bfcf")], 0x5CF78F71);
        Exchange(cookies, "fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5", "203.0.113.203", out bool isValid);
        Assert.True(isValid);
        Exchange(cookies, "fc93fc62807ddb86010000005cf78f71a314227b6679ebf5", "203.0.113.203", out isValid);
        Assert.False(isValid);
    }

    [Fact, Trait("RFC", "9018 A.4")]
    public void A_cookie_of_the_old_secret_is_good_and_replaced_by_one_of_the_new()
    {
        ServerCookies cookies = new(
            [Secret("445536bcd2513298075a5d379663c962"), Secret("dd3bdf9344b678b185a6f5cb60fca715")], 0x5CF7C609);
        string answered = Exchange(
            cookies, "22681ab97d52c298010000005cf7c57926556bd0934c72f8", "2001:db8:220:1:59de:d0f4:8769:82b8",
            out bool isValid);
        Assert.True(isValid);
        Assert.Equal("22681AB97D52C298010000005CF7C609A6BB79D16625507A", answered);
    }

    [Fact]
    public void Every_bit_of_cookie_and_address_counts()
    {
        ServerCookies cookies = new(TimeSpan.Zero, 1000);
        foreach (string address in new[] { "192.0.2.1", "2001:db8::1" })
        {
            byte[] good = Convert.FromHexString(Exchange(cookies, Client, address, out _));
            Assert.True(IsValid(cookies, good, address));
            for (int bit = 0; bit < good.Length * 8; bit++)
            {
                good[bit / 8] ^= (byte)(1 << bit % 8);
                Assert.False(IsValid(cookies, good, address), $"bit {bit}");
                good[bit / 8] ^= (byte)(1 << bit % 8);
            }
            byte[] octets = IPAddress.Parse(address).GetAddressBytes();
            for (int bit = 0; bit < octets.Length * 8; bit++)
            {
                byte[] other = [.. octets];
                other[bit / 8] ^= (byte)(1 << bit % 8);
                Assert.False(IsValid(cookies, good, new IPAddress(other).ToString()), $"bit {bit} of {address}");
            }
        }
    }

    [Theory, Trait("RFC", "9018 4.3")]
    [InlineData(0, true, false)]
    [InlineData(1799, true, false)]
    [InlineData(1800, true, true)]
    [InlineData(3599, true, true)]
    [InlineData(3600, false, true)]
    [InlineData(-300, true, false)]
    [InlineData(-301, false, true)]
    public void A_cookie_is_good_for_an_hour_and_made_anew_after_half_of_it(int age, bool isGood, bool isMadeAnew)
    {
        ServerCookies cookies = new(TimeSpan.Zero, 10_000);
        string made = Exchange(cookies, Client, "192.0.2.1", out _);
        cookies.Tick(10_000 + age, 0);
        Assert.Equal(isMadeAnew, Exchange(cookies, made, "192.0.2.1", out bool isValid) != made);
        Assert.Equal(isGood, isValid);
    }

    [Theory, Trait("RFC", "9018 4.1")]
    [InlineData(0, false)]
    [InlineData(1, true)]
    [InlineData(2, false)]
    public void A_cookie_of_another_version_is_not_ours_though_its_hash_is(byte version, bool isGood)
    {
        CookieSecret secret = Secret("e5e973e5a6b2a43f48e7dc849e37bfcf");
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.1:53000"));
        byte[] cookie = [.. Convert.FromHexString(Client), version, 0, 0, 0, .. new byte[12]];
        BinaryPrimitives.WriteUInt32BigEndian(cookie.AsSpan(12), 1000);
        ulong hash = secret.Hash(
            BinaryPrimitives.ReadUInt64LittleEndian(cookie), BinaryPrimitives.ReadUInt64LittleEndian(cookie.AsSpan(8)),
            ref client);
        BinaryPrimitives.WriteUInt64LittleEndian(cookie.AsSpan(16), hash);
        Assert.Equal(isGood, IsValid(new ServerCookies([secret], 1000), cookie, "192.0.2.1"));
    }

    [Fact]
    public void The_port_of_a_client_does_not_count()
    {
        ServerCookies cookies = new(TimeSpan.Zero, 1000);
        byte[] good = Convert.FromHexString(Exchange(cookies, Client, "192.0.2.1", out _));
        Assert.True(IsValid(cookies, good, "192.0.2.1", port: 4711));
    }

    [Fact]
    public void A_random_secret_is_nobody_else_s()
    {
        byte[] theirs = Convert.FromHexString(Exchange(new(TimeSpan.Zero, 1000), Client, "192.0.2.1", out _));
        Assert.False(IsValid(new ServerCookies(TimeSpan.Zero, 1000), theirs, "192.0.2.1"));
    }

    [Fact]
    public void A_random_secret_is_replaced_when_due_and_checks_for_an_hour_more()
    {
        const long day = 86400;
        ServerCookies cookies = new(TimeSpan.FromDays(1), 0);
        cookies.Tick(day - 1, day - 1);
        byte[] last = Convert.FromHexString(Exchange(cookies, Client, "192.0.2.1", out _));
        cookies.Tick(day, day);
        Assert.True(IsValid(cookies, last, "192.0.2.1"));
        Assert.NotEqual(last, Convert.FromHexString(Exchange(cookies, Convert.ToHexString(last), "192.0.2.1", out _)));
        cookies.Tick(day + 3598, day + 3599);
        Assert.True(IsValid(cookies, last, "192.0.2.1"));
        cookies.Tick(day + 3598, day + 3600);
        Assert.False(IsValid(cookies, last, "192.0.2.1"));
    }

    [Fact]
    public void A_clock_that_jumps_neither_rotates_nor_breaks_anything()
    {
        ServerCookies cookies = new(TimeSpan.FromDays(1), 1_700_000_000);
        byte[] before = Convert.FromHexString(Exchange(cookies, Client, "192.0.2.1", out _));
        foreach (long time in new[] { 0L, uint.MaxValue, 1L << 33, -1 })
        {
            cookies.Tick(time, 1);
            byte[] there = Convert.FromHexString(Exchange(cookies, Client, "192.0.2.1", out _));
            Assert.True(IsValid(cookies, there, "192.0.2.1"));
        }
        cookies.Tick(1_700_000_001, 2);
        Assert.True(IsValid(cookies, before, "192.0.2.1"));
    }

    [Fact]
    public void A_time_that_wraps_around_does_not_end_a_cookie()
    {
        ServerCookies cookies = new(TimeSpan.Zero, uint.MaxValue - 10L);
        byte[] before = Convert.FromHexString(Exchange(cookies, Client, "192.0.2.1", out _));
        Assert.Equal(uint.MaxValue - 10, BinaryPrimitives.ReadUInt32BigEndian(before.AsSpan(12)));
        cookies.Tick((1L << 32) + 100, 111);
        Assert.True(IsValid(cookies, before, "192.0.2.1"));
    }

    [Fact]
    public void Secrets_that_are_replaced_make_and_check_from_then_on()
    {
        const string first = "e5e973e5a6b2a43f48e7dc849e37bfcf", second = "dd3bdf9344b678b185a6f5cb60fca715";
        ServerCookies cookies = new([Secret(first)], 1000);
        byte[] ofFirst = Convert.FromHexString(Exchange(cookies, Client, "192.0.2.1", out _));
        cookies.Use([Secret(second), Secret(first)]);
        Assert.True(IsValid(cookies, ofFirst, "192.0.2.1"));
        byte[] ofSecond = Convert.FromHexString(Exchange(cookies, Client, "192.0.2.1", out _));
        cookies.Use([Secret(second)]);
        Assert.True(IsValid(cookies, ofSecond, "192.0.2.1"));
        Assert.False(IsValid(cookies, ofFirst, "192.0.2.1"));
    }

    [Fact]
    public void A_random_secret_outlives_a_change_of_its_rotation_and_is_new_after_secrets_that_were_given()
    {
        ServerCookies cookies = new(TimeSpan.Zero, 1000);
        byte[] drawn = Convert.FromHexString(Exchange(cookies, Client, "192.0.2.1", out _));
        cookies.Use(TimeSpan.FromHours(12));
        cookies.Tick(1001, 1);
        Assert.True(IsValid(cookies, drawn, "192.0.2.1"));
        cookies.Use([Secret("e5e973e5a6b2a43f48e7dc849e37bfcf")]);
        cookies.Use(TimeSpan.FromHours(12));
        Assert.False(IsValid(cookies, drawn, "192.0.2.1"));
        byte[] next = Convert.FromHexString(Exchange(cookies, Client, "192.0.2.1", out _));
        cookies.Tick(1001, 12 * 3600);
        Assert.Equal(next, Convert.FromHexString(Exchange(cookies, Client, "192.0.2.1", out _)));
        cookies.Tick(1001, 12 * 3600 + 1);
        Assert.NotEqual(next, Convert.FromHexString(Exchange(cookies, Client, "192.0.2.1", out _)));
    }

    private static CookieSecret Secret(string hex) => new(Convert.FromHexString(hex));

    private static bool IsValid(ServerCookies cookies, byte[] cookie, string address, int port = 53000)
    {
        Exchange(cookies, Convert.ToHexString(cookie), address, out bool isValid, port);
        return isValid;
    }

    private static string Exchange(ServerCookies cookies, string sent, string address, out bool isValid,
        int port = 53000)
    {
        CookieOption option = default;
        option.Read(Convert.FromHexString(sent));
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Parse(address), port));
        cookies.Verify(ref option, ref client);
        isValid = option.State == CookieState.Valid;
        byte[] octets = new byte[CookieOption.LengthOctets];
        option.Write(octets);
        return Convert.ToHexString(octets);
    }
}
