using Xunit;

namespace Dns.Zones.Tests;

/// <summary>Files that most of BIND, Knot and NSD read differently: docs/reference/import.md says why.</summary>
public sealed class OtherServersTests : IDisposable
{
    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("www TXT \"a\0b\"\n", "4:11: error: found a NUL byte")]
    [InlineData("www A 192.0.2.2\rmail A 192.0.2.3\n", "4:17: error: A: found \"mail\"")]
    [InlineData("w\\256w A 192.0.2.2\n", "4:1: error: found \"w\\256w\"")]
    [InlineData("\"www\" A 192.0.2.2\n", "4:1: error: found \"www\", expected an owner without quotes")]
    [InlineData("@ DS 1 8 2 0000000000000000000000000000000000000000000000000000000000000000\n",
        "4:1: error: found a DS at the apex")]
    [InlineData("www TYPE250 \\# 0\n", "4:5: error: found \"TYPE250\", expected a type that a zone can hold")]
    [InlineData("www NSEC a.\n", "4:10: error: NSEC: ")]
    [InlineData("www SSHFP 1 1 0011\n", "4:15: error: SSHFP: ")]
    [InlineData("@ ZONEMD 1 1 1 00\n", "4:16: error: ZONEMD: ")]
    [InlineData("_x._tcp URI 1 2 \"\"\n", "4:17: error: URI: ")]
    [InlineData("www HTTPS 1 . no-default-alpn\n", "4:15: error: HTTPS: ")]
    [InlineData("www SVCB 1 . key65535=a\n", "4:14: error: SVCB: ")]
    public void What_others_accept_and_the_standards_do_not_is_an_error(string text, string expected) =>
        Assert.StartsWith(expected, Assert.Single(_folder.Check(ZoneFolder.Start + text).Split('\n')));

    [Fact]
    public void A_record_before_any_TTL_is_an_error() =>
        Assert.StartsWith("1:1: error: found a record without a TTL",
            _folder.Check("@ NS ns.x.\n@ 60 SOA a. b. 1 2 3 4 5\n"));

    [Theory]
    [InlineData("$ORIGIN sub\nwww A 192.0.2.2\n")]
    [InlineData("www TXT ( a ( b ) c )\n")]
    [InlineData("( www\n A 192.0.2.2 )\n")]
    [InlineData("www TXT \"a\nb\"\n")]
    [InlineData("@.www A 192.0.2.2\n")]
    [InlineData("www A6 0 2001:db8::1\n")]
    public void What_others_refuse_and_is_plain_is_read(string text)
    {
        ZoneLoadResult result = _folder.Load(ZoneFolder.Start + text);
        Assert.Empty(result.Diagnostics);
        Assert.Equal(3, result.Zone!.RecordCount);
    }
}
