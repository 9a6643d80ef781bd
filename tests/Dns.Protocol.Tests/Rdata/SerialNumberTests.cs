using Xunit;

namespace Dns.Protocol.Tests;

[Trait("RFC", "1982")]
public class SerialNumberTests
{
    [Theory]
    [InlineData(1u, 0u)]
    [InlineData(0u, 4294967295u)]
    [InlineData(100u, 4294967295u)]
    [InlineData(2147483647u, 0u)]
    [InlineData(0u, 2147483649u)]
    public void One_serial_is_greater_than_the_other(uint greater, uint less)
    {
        Assert.True(SerialNumber.IsGreater(greater, less));
        Assert.False(SerialNumber.IsGreater(less, greater));
    }

    [Theory]
    [InlineData(5u, 5u)]
    [InlineData(2147483648u, 0u)]
    public void Neither_is_greater(uint one, uint other)
    {
        Assert.False(SerialNumber.IsGreater(one, other));
        Assert.False(SerialNumber.IsGreater(other, one));
    }
}
