using System.Text.Json;

namespace Dns.Server.Tests;

/// <summary>What was written for a secret, whatever its type, shape and source, is in no message.</summary>
public sealed class SecretSettingsTests : IDisposable
{
    /// <summary>Never a part of a word that a message may have.</summary>
    private const string Secret = "5ecre7ab0d";

    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>
    /// Values with the secret in them, as JSON; as the only value, an element, a key, a number, deep inside, and
    /// broken.
    /// </summary>
    private static readonly string[] Shapes =
    [
        $"\"{Secret}\"", $"\"{Secret} {Secret} {Secret}\"", $"[ \"{Secret}\" ]", $"[ [ \"{Secret}\" ] ]",
        $"[ {{ \"{Secret}\": 1 }} ]",
        $"{{ \"{Secret}\": 1 }}", $"{{ \"Value\": \"{Secret}\" }}", $"{{ \"{Secret}\": 1, \"{Secret}\": 2 }}",
        $"{{ \"0\": \"{Secret}\" }}", $"[ \"{Secret}\", null ]", $"[ true, \"{Secret}\" ]",
        // Malformed JSON, where the reader repeats the text in its error.
        Secret, $"t{Secret}", $"n{Secret}", $"f{Secret}", $"'{Secret}'", $"\"{Secret}", $"\"\\{Secret}\"",
        $"[ {Secret} ]", $"1{Secret}", $"\"{Secret}\n\"", $"\"{Secret}\" \"{Secret}\"",
    ];

    /// <summary>Paths of secrets, of their parents and children, and of similar names.</summary>
    public static TheoryData<string> Paths => [
        "Dns:Cookies:Secrets", "Dns:Cookies:Secrets:0", "Dns:Cookies:Secrets:1", "Dns:Cookies:Secrets:0:Value",
        "Dns:Cookies", "Dns:Admin:Token", "Dns:Admin:Token:0", "Dns:Admin:Token:Value", "Dns:Admin",
        $"Dns:Cookies:Secrets:{Secret}", $"Dns:Admin:Token:{Secret}", "Dns:Cookies:Secret", "Dns:Admin:Tokens",
        "Dns:TsigKeys", "Dns:TsigKeys:0", "Dns:TsigKeys:0:Secret", "Dns:TsigKeys:0:SecretFile", "Dns:TsigKeys:0:Name",
        $"Dns:TsigKeys:{Secret}",
    ];

    private static void AssertHidden(IEnumerable<string> messages)
    {
        string[] all = [.. messages];
        Assert.NotEmpty(all);
        Assert.All(all, message => Assert.DoesNotContain(Secret[1..], message, StringComparison.OrdinalIgnoreCase));
    }

    [Fact]
    public void Every_secret_is_one_of_those_tried() =>
        Assert.Equal(["Dns:Admin:Token", "Dns:Cookies:Secrets", "Dns:TsigKeys"],
            SecretsOf(DeclaredSettings.OfProgram.Members, "Dns").Order());

    private static IEnumerable<string> SecretsOf(IEnumerable<Setting> members, string path) =>
        members.SelectMany(member => member is SettingsSection section
            ? SecretsOf(section.Members, path + ":" + member.Name)
            : member.IsSecret ? [path + ":" + member.Name] : Enumerable.Empty<string>());

    [Theory]
    [MemberData(nameof(Paths))]
    public void A_secret_of_a_file_is_in_no_message(string path)
    {
        // A key of a section is shown: it is the only way to name an unknown one.
        bool isSection = path.Count(c => c == ':') == 1;
        foreach (string shape in Shapes.Where(shape => !isSection || !shape.Contains($"{{ \"{Secret}\"")))
        {
            string json = shape;
            foreach (string key in path.Split(':').Reverse())
                json = int.TryParse(key, out int index)
                    ? $"[ {(index > 0 ? "null, " : "")}{json} ]" : $"{{ {JsonSerializer.Serialize(key)}: {json} }}";
            AssertHidden(_folder.Problems(json));
        }
    }

    [Theory]
    [InlineData("0123456789")]
    [InlineData("01234567890123456789012345678901")]
    [InlineData("1.5")]
    [InlineData("12345678901234567890123456789012")]
    public void A_secret_that_is_a_number_is_not_repeated(string number)
    {
        foreach (string setting in (string[])["Cookies\": { \"Secrets", "Admin\": { \"Token"])
            Assert.DoesNotContain(number,
                Assert.Single(_folder.Problems($$"""{ "Dns": { "{{setting}}": {{number}} } } }""")),
                StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Paths))]
    public void A_secret_of_the_environment_is_in_no_message(string path)
    {
        string name = path.Replace(":", "__");
        foreach (string file in (string[])["{ }",
            """{ "Dns": { "Cookies": { "Secrets": [ ] }, "Admin": { "Token": null } } }"""])
            AssertHidden(_folder.Problems(file, null, (name, Secret)));
    }

    [Theory]
    [MemberData(nameof(Paths))]
    public async Task A_secret_of_the_command_line_is_in_no_message(string path)
    {
        AssertHidden(_folder.Problems("{ }", new SettingsArguments { Overrides = [path + "=" + Secret] }));
        string file = _folder.Write("dnsd.json", "{ }");
        string[][] commands =
        [
            ["check", "--config", file, $"--{path}={Secret}"], ["check", "--config", file, $"--{path}", Secret],
            ["check", $"-{path}={Secret}"], ["check", $"{path}={Secret}"], ["run", $"--{path}:Value:{Secret}"],
            [$"/{path}={Secret}"], ["run", $"--{path.Replace(":", "__")}={Secret}"],
        ];
        foreach (string[] command in commands)
        {
            StringWriter output = new(), errors = new();
            Assert.NotEqual(0, await DnsdCommand.InvokeAsync(command, output, errors));
            AssertHidden([errors.ToString(), output + "-"]);
        }
    }

    [Fact]
    public void A_secret_where_another_setting_is_expected_is_not_repeated()
    {
        const string drawn = "e5e973e5a6b2a43f48e7dc849e37bfcf";
        string problem = Assert.Single(_folder.Problems($$"""{ "Dns": { "Cookies": { "Rotate": "{{drawn}}" } } }"""));
        Assert.Contains("Dns:Cookies:Rotate is text: expected a time up to 365d", problem);
        problem = Assert.Single(_folder.Problems("""{ "Dns": { "Telemetry": { "Otlp": "ftp://me:word@h" } } }"""));
        Assert.Contains("Dns:Telemetry:Otlp is text: expected an address such as", problem);
    }

    [Fact]
    public void What_changed_at_a_reload_is_told_without_values_and_keys_below_a_secret()
    {
        Dictionary<string, string?> before = new() { ["Dns:Admin:Token"] = Secret };
        Dictionary<string, string?> now =
            new() { ["Dns:Admin:Token"] = Secret + 1, [$"Dns:Cookies:Secrets:{Secret}"] = Secret };
        Assert.Equal(["Dns:Admin:Token", "Dns:Cookies:Secrets:..."],
            SettingsDifference.Find(DeclaredSettings.OfProgram, before, now, areLive: true));
    }
}
