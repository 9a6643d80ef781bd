using System.Text;
using Xunit;

namespace Dns.Protocol.Tests;

public class TtlTextTests
{
    [Theory]
    [InlineData("0", 0u)]
    [InlineData("3600", 3600u)]
    [InlineData("4294967295", uint.MaxValue)]
    [InlineData("1w2d3h4m5s", 788645u)]
    [InlineData("1W2D", 777600u)]
    [InlineData("1h1h", 7200u)]
    [InlineData("0s", 0u)]
    [InlineData("4294967295s", uint.MaxValue)]
    public void Numbers_and_units_add_up(string text, uint seconds)
    {
        Assert.True(TtlText.TryParse(Encoding.ASCII.GetBytes(text), out uint parsed));
        Assert.Equal(seconds, parsed);
    }

    [Theory]
    [InlineData("")]
    [InlineData("h")]
    [InlineData("1h30")]
    [InlineData("1y")]
    [InlineData("-1")]
    [InlineData("1 h")]
    [InlineData("4294967296")]
    [InlineData("7102w")]
    [InlineData("99999999999999999999999999")]
    [InlineData("7101w7101w")]
    public void What_is_no_time_is_refused(string text)
    {
        Assert.False(TtlText.TryParse(Encoding.ASCII.GetBytes(text), out uint seconds));
        Assert.Equal(0u, seconds);
    }
}
