using System.Text;
using System.Text.RegularExpressions;

namespace Dns.Management.Tests.Admin;

public partial class AdminAccessTests
{
    private readonly AdminAccess _open = new(null), _closed = new("0123456789abcdef");

    [Theory]
    [InlineData("Bearer 0123456789abcdef", true)]
    [InlineData("bearer  0123456789abcdef ", true)]
    [InlineData("Bearer 0123456789abcdeF", false)]
    [InlineData("Bearer 0123456789abcde", false)]
    [InlineData("Bearer 0123456789abcdef0", false)]
    [InlineData("Basic 0123456789abcdef", false)]
    [InlineData("Basic OjAxMjM0NTY3ODlhYmNkZWY=", true)]
    [InlineData("basic YW5ib2R5OjAxMjM0NTY3ODlhYmNkZWY=", true)]
    [InlineData("Basic YW5ib2R5OjAxMjM0NTY3ODlhYmNkZQ==", false)]
    [InlineData("Basic OjAxMjM0NTY3ODlhYmNkZW", false)]
    [InlineData("Basic ", false)]
    [InlineData("0123456789abcdef", false)]
    [InlineData("Bearer ", false)]
    [InlineData("", false)]
    [InlineData(null, false)]
    public void Only_the_token_grants_access(string? authorization, bool expected)
    {
        Assert.Equal(expected, _closed.IsGranted(authorization));
        Assert.True(_open.IsGranted(authorization));
    }

    [Fact]
    public void A_token_changes_and_goes_only_where_nobody_else_can_reach_the_port()
    {
        AdminAccess access = new("0123456789abcdef"), reachable = new("0123456789abcdef", isReachable: true);
        access.Use("fedcba9876543210");
        Assert.False(access.IsGranted("Bearer 0123456789abcdef"));
        Assert.True(access.IsGranted("Bearer fedcba9876543210"));
        access.Use(null);
        Assert.True(access.IsGranted(null));
        Assert.True(access.MayTake(null));
        Assert.False(reachable.MayTake(null));
        Assert.True(reachable.MayTake("fedcba9876543210"));
    }

    [Theory]
    [InlineData("nothing", false, false)]
    [InlineData("health", true, false)]
    [InlineData("metrics", true, true)]
    public void An_address_that_others_reach_shows_without_a_token_what_the_settings_open(string open, bool mayBeBound,
        bool hasMetrics)
    {
        AdminAccess access = new(null, isReachable: true, Enum.Parse<AdminOpen>(open, ignoreCase: true));
        Assert.Equal(mayBeBound, access.MayTake(null));
        Assert.Equal(hasMetrics, access.HasOpenMetrics);
        Assert.False(access.IsGranted(null));
        Assert.False(access.HasToken);
        Assert.True(access.IsForUs("dnsd.default.svc"));
    }

    [Theory]
    [InlineData("127.0.0.1", true)]
    [InlineData("::1", true)]
    [InlineData("LocalHost", true)]
    [InlineData("evil.test", false)]
    [InlineData("localhost.evil.test", false)]
    [InlineData(null, false)]
    public void Without_a_token_a_name_of_somebody_else_is_not_answered(string? host, bool expected)
    {
        Assert.Equal(expected, _open.IsForUs(host));
        Assert.True(_closed.IsForUs(host));
    }

    [Fact]
    public void The_page_takes_nothing_from_elsewhere_and_allows_its_own_script_alone()
    {
        StatusPage page = new();
        string text = Encoding.UTF8.GetString(page.With(new HtmlWriter()));
        Assert.DoesNotMatch(OutsideResource(), text);
        Assert.DoesNotContain("innerHTML", text);
        Assert.Single(Regex.Matches(text, "<script"));
        Assert.DoesNotMatch(@"\son\w+=", text);
        Assert.StartsWith("default-src 'none'; script-src 'sha256-", page.SecurityPolicy);
        Assert.DoesNotContain("unsafe", page.SecurityPolicy);
        Assert.DoesNotMatch(@"https?:|\*|data:(?!;)|'self'",
            page.SecurityPolicy.Replace("connect-src 'self'; img-src data:;", "")
            .Replace("form-action 'self'", ""));
    }

    [Fact]
    public void Ready_is_when_every_zone_that_can_load_has_loaded()
    {
        TelemetrySources sources = new();
        HealthReport health = new(sources.Status);
        Assert.True(health.IsReady);
        sources.AddZone("good.test.", ZoneState.Serving);
        sources.AddZone("slow.test.", ZoneState.Loading);
        sources.AddZone("bad.test.", ZoneState.Failed, "line 1");
        Assert.False(health.IsReady);
        Assert.Equal("not ready\nserving 1\nloading 1: slow.test.\nbroken 1: bad.test.\n",
            TelemetrySources.TextOf(health.Write));
        sources.Zones.Remove(DomainName.Parse("slow.test."));
        Assert.True(health.IsReady);
        Assert.Equal("ready\nserving 1\nbroken 1: bad.test.\n", TelemetrySources.TextOf(health.Write));
    }

    [Fact]
    public void The_names_of_many_zones_are_cut_short()
    {
        TelemetrySources sources = new();
        for (int i = 0; i < 1000; i++) sources.AddZone($"z{i}.", ZoneState.Loading);
        Assert.InRange(TelemetrySources.TextOf(new HealthReport(sources.Status).Write).Length, 100, 1000);
    }

    [GeneratedRegex("""(src|href)\s*=\s*["']?(https?:|//)|url\(|@import|https?://(?!www\.w3\.org/2000/svg)""")]
    private static partial Regex OutsideResource();
}
