using Xunit;

namespace Dns.Zones.Tests;

public sealed class MasterFileGenerateTests : IDisposable
{
    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("1-3 a$ A 192.0.2.$", "a1 A 192.0.2.1|a2 A 192.0.2.2|a3 A 192.0.2.3")]
    [InlineData("0-7/3 $ A 192.0.2.$", "0 A 192.0.2.0|3 A 192.0.2.3|6 A 192.0.2.6")]
    [InlineData("5-5 a PTR x${10}", "a PTR x15")]
    [InlineData("5-5 a PTR x${-5}", "a PTR x0")]
    [InlineData("5-5 a PTR x${0,3}", "a PTR x005")]
    [InlineData("5-5 a PTR x${3,3,o}", "a PTR x010")]
    [InlineData("5-5 a PTR x${6,2,x}", "a PTR x0b")]
    [InlineData("5-5 a PTR x${6,2,X}", "a PTR x0B")]
    [InlineData("26-26 a PTR ${0,0,n}", "a PTR a.1")]
    [InlineData("26-26 a PTR ${0,7,N}.x", "a PTR A.1.0.0.x")]
    [InlineData("5-5 a PTR \\$.$$.$", "a PTR \\$.\\$.5")]
    [InlineData("5-5 a MX \"10 m$\"", "a MX 10 m5")]
    [InlineData("5-5 a MX 10 m$", "a MX 10 m5")]
    [InlineData("5-5 a TXT \"b $\" c", "a TXT \"b 5\" \"c\"")]
    [InlineData("5-5 a CLASS1 TYPE1 192.0.2.$", "a A 192.0.2.5")]
    public void Counter_is_put_in_for_every_dollar(string directive, string expected)
    {
        string dump = _folder.Dump($"$TTL 1\n$GENERATE {directive}\n", origin: ".");
        Assert.Equal(expected,
            dump.TrimEnd('\n').Replace(". 1 IN ", " ").Replace(".\n", "\n").TrimEnd('.').Replace('\n', '|'));
    }

    [Theory]
    [InlineData("60 IN")]
    [InlineData("IN 60")]
    public void Ttl_and_class_come_in_either_order(string words) =>
        Assert.Equal("a.example.com. 60 IN A 192.0.2.1\n", _folder.Dump($"$GENERATE 1-1 a {words} A 192.0.2.$\n"));

    [Fact]
    public void The_owner_before_it_holds_behind_it_and_so_does_the_ttl_that_it_states() =>
        Assert.Equal(
            "a.example.com. 1 IN A 192.0.2.1\nb1.example.com. 2 IN A 192.0.2.1\na.example.com. 2 IN A 192.0.2.2\n",
            _folder.Dump("a 1 A 192.0.2.1\n$GENERATE 1-1 b$ 2 A 192.0.2.$\n A 192.0.2.2\n"));

    [Theory]
    [InlineData(19, "1-3 a$ A",
        "found the end of the line, expected $GENERATE start-stop[/step] owner [ttl] [class] type rdata")]
    [InlineData(11, "3-1 a A 192.0.2.1", "found \"3-1\", expected a range that does not end before it starts")]
    [InlineData(11, "1-3/0 a A 192.0.2.1", "found \"1-3/0\", expected a step of at least 1")]
    [InlineData(11, "1 a A 192.0.2.1",
        "found \"1\", expected a range start-stop or start-stop/step of numbers up to 2147483647")]
    [InlineData(11, "0-2147483648 a A 192.0.2.1",
        "found \"0-2147483648\", expected a range start-stop or start-stop/step of numbers up to 2147483647")]
    [InlineData(11, "0-99999999999999999999 a A 192.0.2.1",
        "found \"0-99999999999999999999\", expected a range start-stop or start-stop/step of numbers up to 2147483647")]
    [InlineData(11, "0-2147483647 a A 192.0.2.1",
        "found a range of 2147483648 lines, expected at most 16777216 in a zone")]
    [InlineData(15, "1-3 a${ A 192.0.2.1",
        "found \"a${\", expected ${offset}, ${offset,width} or ${offset,width,base} with base d, o, x, X, n or N")]
    [InlineData(15, "1-3 a${0,256} A 192.0.2.1",
        "found \"a${0,256}\", expected ${offset}, ${offset,width} or ${offset,width,base} with base d, o, x, X, n " +
            "or N")]
    [InlineData(15, "1-3 a${0,1,q} A 192.0.2.1",
        "found \"a${0,1,q}\", expected ${offset}, ${offset,width} or ${offset,width,base} with base d, o, x, X, n " +
            "or N")]
    [InlineData(1, "1-3 a${-2} A 192.0.2.1", "found -1 for the counter, expected a number from 0 to 2147483647")]
    [InlineData(1, "2147483647-2147483647 a${2147483647} A 192.0.2.1",
        "found 4294967294 for the counter, expected a number from 0 to 2147483647")]
    public void A_directive_that_cannot_be_read_is_one_error(int column, string directive, string expected) =>
        Assert.Equal($"2:{column}: error: {expected}", _folder.Dump($"$TTL 1\n$GENERATE {directive}\n"));

    [Fact]
    public void The_first_bad_line_ends_it() =>
        Assert.StartsWith("2:1: error: A: found \"192.0.2.256\"", Assert.Single(
            _folder.Dump("$TTL 1\n$GENERATE 250-300 a A 192.0.2.$\n").Split('\n')));

    [Fact]
    public void All_directives_of_a_zone_share_one_bound() =>
        Assert.Equal(
            "3:11: error: found a range of 16777216 lines, expected at most 16777216 in a zone",
            _folder.Dump("$TTL 1\n$GENERATE 1-2 a A 192.0.2.$\n$GENERATE 0-16777215 a A 192.0.2.$\n"));
}
