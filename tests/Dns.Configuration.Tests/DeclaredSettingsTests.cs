namespace Dns.Configuration.Tests;

/// <summary>Settings are declared once, by the features too that are not in this project.</summary>
public sealed class DeclaredSettingsTests : IDisposable
{
    private static readonly SettingsSection<Knock> Section =
        new SettingsSection<Knock>("Knock", "A feature of another project.", new())
        .Add("Times", Number(1, 9, "times"), o => o.Times, (o, v) => o with { Times = v },
            "How often.", 3, isLive: true)
        .Add("Word", Text, o => o.Word, (o, v) => o with { Word = v }, "What is said.", "friend", isSecret: true)
        .Check((o, problems) =>
        {
            if (o is { Times: > 5, Word: null })
                problems.Report("Times", "Dns:Knock:Times is above 5: expected a Word");
            if (o.Times == 1) problems.Warn("Times", "Dns:Knock:Times: once is seldom heard");
        });

    private static readonly DeclaredSettings Declared = new(Section);
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private Settings Read(string dns) =>
        _folder.Read($$"""{ "Dns": {{dns}} }""", new SettingsArguments { Declared = Declared });

    [Fact]
    public void A_feature_reads_its_own_section()
    {
        Settings settings = Read("""{ "Knock": { "Times": 4 } }""");
        Assert.Empty(settings.Problems);
        Assert.Equal(new Knock { Times = 4 }, settings.Options.Of(Section));
        Assert.Equal(new Knock(), Read("{ }").Options.Of(Section));
    }

    [Theory]
    [InlineData("""{ "Knock": { "Times": 10 } }""",
        "Dns:Knock:Times is 10: expected a whole number of times from 1 to 9")]
    [InlineData("""{ "Knock": { "Tims": 1 } }""", "unknown setting Dns:Knock:Tims: did you mean \"Times\"?")]
    [InlineData("""{ "Knock": 1 }""", "Dns:Knock is a number: expected an object { ... } with any of Times, Word")]
    [InlineData("""{ "Knock": { "Word": 1 } }""",
        "Dns:Knock:Word is a number: expected text of 1 to 255 octets, or null")]
    [InlineData("""{ "Knock": { "Times": 6 } }""", "Dns:Knock:Times is above 5: expected a Word")]
    [InlineData("""{ "Knok": { } }""", "unknown setting Dns:Knok: did you mean \"Knock\"?")]
    [InlineData("""{ "Times": 1 }""", "unknown setting Dns:Times: did you mean \"Dns:Knock:Times\"?")]
    public void Mistakes_in_a_section_of_a_feature_are_reported_like_all_others(string dns, string message) =>
        Assert.Equal(message, Assert.Single(Read(dns).Problems).Message);

    [Fact]
    public void A_feature_warns_of_what_is_probably_a_mistake() =>
        Assert.EndsWith("dnsd.json:1:23: warning: Dns:Knock:Times: once is seldom heard",
            Assert.Single(Read("""{ "Knock": { "Times": 1 } }""").Warnings).ToString());

    [Fact]
    public void A_section_of_a_feature_is_in_the_schema_and_knows_what_a_reload_changes()
    {
        Assert.Equal(9, (int)Declared.Schema()["properties"]!["Dns"]!["properties"]!["Knock"]!["properties"]!["Times"]!
            ["maximum"]!);
        Assert.True(Declared.IsLive("Dns:Knock:Times"));
        Assert.False(Declared.IsLive("Dns:Knock:Word"));
        Assert.True(Declared.IsSecret("Dns:Knock:Word"));
        Assert.Null(DeclaredSettings.OfProgram.Schema()["properties"]!["Dns"]!["properties"]!["Knock"]);
    }

    [Theory]
    [InlineData("Dns:Zones:0:AllowQuery:1", true)]
    [InlineData("Dns:Templates:ours:Notify:0", true)]
    [InlineData("Dns:Transfer:MaxIncoming", true)]
    [InlineData("dns:ratelimit:exempt:0", true)]
    [InlineData("Dns:Cookies:Secrets:0", true)]
    [InlineData("Dns:Proxy:From:0", true)]
    [InlineData("Dns:Cache:MaxBytes", false)]
    [InlineData("Dns:Listen:0", false)]
    [InlineData("Dns", false)]
    [InlineData("Serilog:Identity", false)]
    public void What_is_below_a_live_setting_is_live(string key, bool isLive) =>
        Assert.Equal(isLive, DeclaredSettings.OfProgram.IsLive(key));

    private sealed record Knock
    {
        public int Times { get; init; } = 3;

        public string? Word { get; init; }
    }
}
