using Dns.Answering;

namespace Dns.Server.Tests;

public sealed class DefenceTests : IDisposable
{
    private const string Secret = "e5e973e5a6b2a43f48e7dc849e37bfcf";

    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Cookies_are_on_unless_they_are_turned_off()
    {
        Assert.NotNull(DefenceOf("{ }").AddTo(new ResponderOptions()).Cookies);
        Assert.Null(DefenceOf("""{ "Cookies": { "Enabled": false } }""").AddTo(new ResponderOptions()).Cookies);
    }

    [Fact]
    public void The_settings_of_cookies_are_read()
    {
        ServerOptions options = _folder.Options($$"""{ "Cookies": { "Secrets": [ "{{Secret}}", "{{Secret}}" ], "Rotate": "12h" } }""");
        Assert.Equal((2, TimeSpan.FromHours(12)), (options.Cookies.Secrets.Count, options.Cookies.Rotate));
    }

    [Theory]
    [InlineData("e5e973e5a6b2a43f48e7dc849e37bfc")]
    [InlineData("e5e973e5a6b2a43f48e7dc849e37bfcfa")]
    [InlineData("e5e973e5a6b2a43f48e7dc849e37bfcg")]
    public void A_bad_secret_is_refused_and_not_repeated(string secret)
    {
        Settings settings = _folder.Read($$"""{ "Dns": { "Cookies": { "Secrets": [ "{{secret}}" ] } } }""");
        SettingProblem problem = Assert.Single(settings.Problems);
        Assert.Contains("Dns:Cookies:Secrets:0 is no secret: expected 32 hexadecimal digits", problem.ToString());
        Assert.DoesNotContain(secret, problem.ToString());
    }

    [Fact]
    public void More_than_eight_secrets_are_refused()
    {
        string secrets = string.Join(", ", Enumerable.Repeat($"\"{Secret}\"", 9));
        Settings settings = _folder.Read($$"""{ "Dns": { "Cookies": { "Secrets": [ {{secrets}} ] } } }""");
        Assert.Contains("9 secrets: expected at most 8", Assert.Single(settings.Problems).ToString());
    }

    private Defence DefenceOf(string settings) => new(_folder.Options(settings), TimeProvider.System);
}
