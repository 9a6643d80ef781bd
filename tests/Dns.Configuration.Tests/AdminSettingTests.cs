namespace Dns.Configuration.Tests;

public sealed class AdminSettingTests : IDisposable
{
    private const string Token = "0123456789abcdef";

    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("""{ }""", null, null)]
    [InlineData("""{ "Admin": { "Listen": "127.0.0.1:8053" } }""", "127.0.0.1:8053", null)]
    [InlineData("""{ "Admin": { "Listen": "[::1]:8053", "Token": null } }""", "[::1]:8053", null)]
    [InlineData("""{ "Admin": { "Listen": "0.0.0.0:8053", "Token": "0123456789abcdef" } }""", "0.0.0.0:8053", Token)]
    [InlineData("""{ "Admin": { "Listen": null } }""", null, null)]
    public void The_admin_port_is_read(string dns, string? listen, string? token)
    {
        AdminOptions admin = _folder.Options(dns).Admin;
        Assert.Equal((listen, token), (admin.Listen?.ToString(), admin.Token));
    }

    [Fact]
    public void The_command_line_can_do_without_the_admin_port() => Assert.Null(_folder.Options(
        """{ "Admin": { "Listen": "127.0.0.1:8053" } }""",
        new() { Overrides = ["Dns:Admin:Listen=null"] }).Admin.Listen);

    [Theory]
    [InlineData("0.0.0.0:8053")]
    [InlineData("[::]:8053")]
    [InlineData("192.0.2.1:8053")]
    public void An_address_that_others_reach_needs_a_token(string address) => Assert.Equal(
        [$"dnsd.json:1:23: error: Dns:Admin:Listen is \"{address}\", which others can reach: "
            +
            "expected a loopback address, or beside it Dns:Admin:Token, or Dns:Admin:Open \"health\" or \"metrics\" " +
            "for those alone"],
        _folder.Problems($$"""{ "Dns": { "Admin": { "Listen": "{{address}}" } } }"""));

    [Theory]
    [InlineData("health")]
    [InlineData("metrics")]
    public void An_address_that_others_reach_may_show_a_part_without_a_token(string open) => Assert.Empty(
        _folder.Problems($$"""{ "Dns": { "Admin": { "Listen": "0.0.0.0:8053", "Open": "{{open}}" } } }"""));

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("localhost:8053")]
    [InlineData("8053")]
    public void What_is_no_address_with_a_port_is_refused(string text) => Assert.Contains(
        "expected an address with a port",
        Assert.Single(_folder.Problems($$"""{ "Dns": { "Admin": { "Listen": "{{text}}" } } }""")));

    [Theory]
    [InlineData("short-secret")]
    [InlineData("secret with spaces in it")]
    [InlineData("secret-with-an-ümlaut")]
    public void A_token_that_is_none_is_refused_without_being_repeated(string token)
    {
        string problem = Assert.Single(_folder.Problems($$"""{ "Dns": { "Admin": { "Token": "{{token}}" } } }"""));
        Assert.Contains("Dns:Admin:Token is ", problem);
        Assert.DoesNotContain("secret", problem);
    }
}
