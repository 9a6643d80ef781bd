using Dns.Testing;

namespace Dns.Server.Tests.Features;

public sealed class CookieFeatureTests : IDisposable
{
    private const string Secret = "e5e973e5a6b2a43f48e7dc849e37bfcf";

    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Cookies_are_on_unless_they_are_turned_off()
    {
        Assert.NotNull(FeatureOf("{ }").AddTo(new ResponderOptions()).Cookies);
        Assert.Null(FeatureOf("""{ "Cookies": { "Enabled": false } }""").AddTo(new ResponderOptions()).Cookies);
    }

    [Fact]
    public void The_settings_of_cookies_are_read()
    {
        ServerOptions options =
            _folder.Options($$"""{ "Cookies": { "Secrets": [ "{{Secret}}", "{{Secret}}" ], "Rotate": "12h" } }""");
        Assert.Equal((2, TimeSpan.FromHours(12)), (options.Cookies.Secrets.Count, options.Cookies.Rotate));
    }

    [Theory]
    [InlineData("e5e973e5a6b2a43f48e7dc849e37bfc")]
    [InlineData("e5e973e5a6b2a43f48e7dc849e37bfcfa")]
    [InlineData("e5e973e5a6b2a43f48e7dc849e37bfcg")]
    public void A_bad_secret_is_refused_and_not_repeated(string secret)
    {
        Settings settings = _folder.Read($$"""{ "Dns": { "Cookies": { "Secrets": [ "{{secret}}" ] } } }""");
        SettingDiagnostic problem = Assert.Single(settings.Problems);
        Assert.Contains("Dns:Cookies:Secrets:0 is text: expected a secret of 32 hexadecimal digits",
            problem.ToString());
        Assert.DoesNotContain(secret, problem.ToString());
    }

    [Fact]
    public void More_than_eight_secrets_are_refused()
    {
        string secrets = string.Join(", ", Enumerable.Repeat($"\"{Secret}\"", 9));
        Settings settings = _folder.Read($$"""{ "Dns": { "Cookies": { "Secrets": [ {{secrets}} ] } } }""");
        Assert.Contains("9 secrets: expected at most 8", Assert.Single(settings.Problems).ToString());
    }

    [Fact]
    public void Cookies_are_turned_off_and_on_while_the_server_runs()
    {
        CookieFeature cookies = FeatureOf("{ }");
        ServerCookies? before = cookies.AddTo(new ResponderOptions()).Cookies;
        cookies.Use(_folder.Options("""{ "Cookies": { "Enabled": false } }"""));
        Assert.Null(cookies.AddTo(new ResponderOptions()).Cookies);
        cookies.Use(_folder.Options("{ }"));
        Assert.Same(before, cookies.AddTo(new ResponderOptions()).Cookies);
    }

    [Fact]
    public void Metrics_and_statistics_show_each_state_of_a_cookie_under_one_name()
    {
        AnswerCounters answers = new();
        CookieFeature cookies = new(_folder.Options("{ }"), TimeProvider.System, answers);
        Assert.Equal(["none 0", "malformed 0", "first 0", "wrong 0", "valid 0"],
            FeatureMetrics.Read(cookies, "dnsd_cookies_total"));
        Assert.Equal(["cookies: none 0", "cookies: malformed 0", "cookies: first 0", "cookies: wrong 0",
            "cookies: valid 0"], FeatureMetrics.CountsOf(cookies));
    }

    private CookieFeature FeatureOf(string settings) =>
        new(_folder.Options(settings), TimeProvider.System, new AnswerCounters());
}
