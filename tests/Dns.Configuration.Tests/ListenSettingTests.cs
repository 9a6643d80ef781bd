using System.Net;

namespace Dns.Configuration.Tests;

public class ListenSettingTests
{
    [Theory]
    [InlineData("127.0.0.1:5335", "127.0.0.1:5335")]
    [InlineData("127.0.0.1", "127.0.0.1:53")]
    [InlineData("0.0.0.0:0", "0.0.0.0:0")]
    [InlineData("[::1]:5335", "[::1]:5335")]
    [InlineData("[::]", "[::]:53")]
    [InlineData("::1", "[::1]:53")]
    [InlineData("2001:db8::1:53", "[2001:db8::1:53]:53")]
    public void An_address_is_read(string text, string expected)
    {
        Assert.True(ListenSetting.TryParse(text, out IPEndPoint? endPoint));
        Assert.Equal(expected, endPoint.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("localhost:53")]
    [InlineData("127.1:53")]
    [InlineData("127.0.0.1:")]
    [InlineData("127.0.0.1:65536")]
    [InlineData("127.0.0.1:-1")]
    [InlineData("127.0.0.1:+1")]
    [InlineData("127.0.0.1: 1")]
    [InlineData("[127.0.0.1]:53")]
    [InlineData("[::1:53")]
    [InlineData("[::1]53")]
    [InlineData("[]:53")]
    [InlineData("::1]:53")]
    [InlineData("0x7f000001:53")]
    [InlineData("udp://127.0.0.1:53")]
    public void What_is_no_address_is_refused(string text) => Assert.False(ListenSetting.TryParse(text, out _));

    [Theory]
    [InlineData(""" "0.0.0.0:24100", "[::]:24100" """)]
    [InlineData(""" "*:24100", "127.0.0.1:24101", "[::1]:24101" """)]
    [InlineData(""" "0.0.0.0:0", "127.0.0.1:0" """)]
    [InlineData(""" "127.0.0.1:24100", "127.0.0.2:24100", "[::]:24100" """)]
    [InlineData(""" "223.255.255.255", "240.0.0.0", "255.255.255.254", "feff::1" """)]
    public void Addresses_that_can_be_bound_together_are_accepted(string list)
    {
        using SettingsFolder folder = new();
        Assert.Empty(folder.Problems($$"""{ "Dns": { "Listen": [ {{list}} ] } }"""));
    }
}
