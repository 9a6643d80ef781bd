using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Dns.Testing;

namespace Dns.Configuration.Tests;

/// <summary>The pages of the settings equal those made of the declarations, and their examples are valid.</summary>
public sealed partial class SettingsPageTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public static TheoryData<string> Pages => ["settings.md", "zone-settings.md", "dnssec-policies.md"];

    public void Dispose() => _folder.Dispose();

    [Theory]
    [MemberData(nameof(Pages))]
    [InlineData("default-settings.md")]
    public void A_page_is_what_the_declarations_make_of_it(string name)
    {
        string page = File.ReadAllText(Path.Combine(RepositoryDocs.Folder, "reference", name));
        Assert.Contains(SettingsPages.Mark, page);
        string head = page[..(page.IndexOf(SettingsPages.Mark, StringComparison.Ordinal) + SettingsPages.Mark.Length)];
        AssertFile(Path.Combine("docs", "reference", name), head + "\n" + Generated(name));
    }

    [Fact]
    public void The_schema_is_what_the_declarations_make_of_it() =>
        AssertFile(Path.Combine("src", "Dns.Server", "dnsd.schema.json"), SettingsPages.OfSchema());

    /// <summary>With DNS_WRITE_PAGES=1 the file is written in place of a comparison.</summary>
    private static void AssertFile(string path, string right)
    {
        string file = Path.Combine(Path.GetDirectoryName(RepositoryDocs.Folder)!, path);
        if (Environment.GetEnvironmentVariable("DNS_WRITE_PAGES") == "1") File.WriteAllText(file, right);
        Assert.True(File.ReadAllText(file) == right,
            $"{path} is not what the settings make of it: run this test with DNS_WRITE_PAGES=1, which writes it");
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public void Every_example_is_read_without_a_problem(string name)
    {
        MatchCollection examples = Example().Matches(Generated(name));
        Assert.NotEmpty(examples);
        _folder.Write("k1.secret", "c2VjcmV0IG9mIGFuIGV4YW1wbGU=");
        Directory.CreateDirectory(Path.Combine(_folder.Root, "zones"));
        foreach (Match example in examples)
        {
            JsonNode settings = JsonNode.Parse(example.Groups[1].Value)!;
            JsonObject dns = settings["Dns"]!.AsObject();
            // What examples refer to.
            dns.TryAdd("TsigKeys", JsonNode.Parse("""[ { "Name": "k1.example.", "SecretFile": "k1.secret" } ]"""));
            dns.TryAdd("Templates", JsonNode.Parse("""{ "members": { "AllowTransfer": [ "192.0.2.7" ] } }"""));
            if (dns["Zones"] is JsonArray zones && zones.Any(zone => zone!["MemberOf"] is not null))
                zones.Add(JsonNode.Parse("""{ "Name": "catalog.example", "Catalog": "producer" }"""));
            Assert.Equal((example.Value, ""),
                (example.Value, string.Join('\n', _folder.Problems(settings.ToJsonString()))));
        }
    }

    private static string Generated(string name) => name switch
    {
        "settings.md" => SettingsPages.OfServer(),
        "zone-settings.md" => SettingsPages.OfZones(),
        "default-settings.md" => SettingsPages.OfDefaults(),
        _ => SettingsPages.OfPolicies(),
    };

    [GeneratedRegex("```json\n(.+)\n```")]
    private static partial Regex Example();
}
