namespace Dns.Commands.Tests;

/// <summary><c>dnsd zone sign</c> and <c>dnsd keys</c> on files: results, output and errors.</summary>
public sealed class SigningCommandTests : IDisposable
{
    private const string Zone = "example.com";
    private const string Text = "@ 60 SOA ns host 5 60 60 60 60\n@ 60 NS ns\nns 60 A 192.0.2.1\n";

    private readonly string _folder = Directory.CreateTempSubdirectory("dns-sign").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_key_is_made_where_there_is_none_and_used_where_there_is_one()
    {
        (int code, string output, _) = await SignAsync("source", "one", "--denial", "nsec3");
        Assert.Equal(ExitCode.Good, code);
        Assert.Contains("made the key", output, StringComparison.Ordinal);
        (_, output, _) = await SignAsync("source", "two");
        Assert.DoesNotContain("made the key", output, StringComparison.Ordinal);
        Assert.Single(Directory.GetFiles(In("keys"), "*.private"));
        Assert.Equal(["keys", "one", "source", "two"],
            Directory.GetFileSystemEntries(_folder).Select(Path.GetFileName).Order());
    }

    [Fact]
    public async Task A_signed_file_is_signed_again_as_it_was_and_stays_while_nothing_is_due()
    {
        await SignAsync("source", "one", "--opt-out", "--zonemd");
        (_, string output, _) = await SignAsync("one", "two");
        Assert.Contains("0 signatures made", output, StringComparison.Ordinal);
        Assert.Equal(await File.ReadAllTextAsync(In("one")), await File.ReadAllTextAsync(In("two")));
        File.AppendAllText(In("two"), "new.example.com. 60 IN A 192.0.2.2\n");
        await SignAsync("two", "three");
        Zone signed = Load("three");
        Assert.Equal(7u, signed.Serial);
        Assert.True(DenialPlan.TryRead(signed, out DenialPlan? denial));
        Assert.Equal(DenialPlan.Nsec3OptOut, denial);
        Assert.True(ZonemdCheck.Verify(signed));
        ZoneVerification found =
            ZoneVerifier.Verify(signed, new ZoneVerifierSettings { Now = TimeProvider.System.GetUtcNow() });
        Assert.True(found.IsGood);
    }

    [Theory]
    [InlineData("@ 60 NS ns\n", "source", "found no SOA")]
    [InlineData("@ 60 SOA ns host 5 60 60\n", "source:1:", "expected")]
    public async Task A_broken_file_is_told_with_its_place_and_nothing_is_written(string text, string location,
        string message)
    {
        await File.WriteAllTextAsync(In("source"), text);
        (int code, _, string errors) = await SignAsync("source", "signed");
        Assert.Equal(ExitCode.Bad, code);
        Assert.Contains(location, errors, StringComparison.Ordinal);
        Assert.Contains(message, errors, StringComparison.Ordinal);
        Assert.False(File.Exists(In("signed")));
        Assert.False(Directory.Exists(In("keys")));
    }

    [Fact]
    public async Task A_key_file_that_cannot_be_read_is_told_and_no_other_key_is_made()
    {
        await RunAsync("keys", "generate", Zone, "--keys", In("keys"));
        string file = Directory.GetFiles(In("keys"), "*.private").Single();
        await File.WriteAllTextAsync(file, "Private-key-format: v1.3\nAlgorithm: what\n");
        (int code, _, string errors) = await SignAsync("source", "signed");
        Assert.Equal(ExitCode.Bad, code);
        Assert.Contains($"{file}:2:", errors, StringComparison.Ordinal);
        Assert.Single(Directory.GetFiles(In("keys"), "*.private"));
    }

    [Fact]
    public async Task An_algorithm_that_the_keys_do_not_have_is_refused()
    {
        await RunAsync("keys", "generate", Zone, "--keys", In("keys"));
        (int code, _, string errors) = await SignAsync("source", "signed", "-a", "rsasha256");
        Assert.Equal(ExitCode.Bad, code);
        Assert.Contains("found keys of ecdsap256sha256", errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--denial", "nsec5"), InlineData("-a", "rsasha1"), InlineData("--lifetime", "1"),
        InlineData("--serial", "random")]
    public async Task Options_that_mean_nothing_are_told(string option, string value) =>
        Assert.Equal(ExitCode.Usage, (await SignAsync("source", "signed", option, value)).Code);

    [Fact]
    public async Task Opt_out_and_NSEC_exclude_each_other() =>
        Assert.Equal(ExitCode.Usage, (await SignAsync("source", "signed", "--denial", "nsec", "--opt-out")).Code);

    [Fact]
    public async Task Keys_are_exported_imported_and_named_to_the_parent()
    {
        (_, string made, _) =
            await RunAsync("keys", "generate", Zone, "--keys", In("keys"), "--ksk", "-a", "ecdsap384sha384");
        await RunAsync("keys", "generate", Zone, "--keys", In("keys"), "--zsk", "-a", "ecdsap384sha384");
        (_, string ds, _) = await RunAsync("keys", "ds", Zone, "--keys", In("keys"));
        Assert.StartsWith("example.com. IN DS ", ds, StringComparison.Ordinal);
        Assert.Single(ds.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        string tag = Path.GetFileName(made.Trim())[^5..];
        Assert.Equal(ExitCode.Good,
            (await RunAsync("keys", "export", Zone, "--keys", In("keys"), "-o", In("other"), "--tag", tag)).Code);
        Assert.Single(Directory.GetFiles(In("other"), "*.private"));
        string file = Directory.GetFiles(In("other"), "*.private").Single();
        Assert.Equal(ExitCode.Good, (await RunAsync("keys", "import", Zone, file, "--keys", In("third"))).Code);
        Assert.Equal(ds, (await RunAsync("keys", "ds", Zone, "--keys", In("third"))).Output);
        Assert.Equal(ExitCode.Bad, (await RunAsync("keys", "import", "example.org", file, "--keys", In("third"))).Code);
        if (!OperatingSystem.IsWindows())
        {
            UnixFileMode mode = File.GetUnixFileMode(Directory.GetFiles(In("third"), "*.private").Single());
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, mode);
        }
    }

    [Theory]
    [InlineData("omnipresent", false)]
    [InlineData("hidden", true)]
    public async Task An_imported_key_past_its_Delete_time_is_warned_about_unless_it_is_in_the_zone(
        string state, bool isWarned)
    {
        (_, string made, _) = await RunAsync("keys", "generate", Zone, "--keys", In("keys"), "--ksk");
        string path = made.Trim();
        await File.AppendAllTextAsync(path + ".private", "Delete: 20200101000000\n");
        await File.WriteAllTextAsync(path + ".state", $"DNSKEYState: {state}\n");
        (int code, string output, string errors) =
            await RunAsync("keys", "import", Zone, path + ".private", "--keys", In("other"));
        Assert.Equal(ExitCode.Good, code);
        Assert.Equal(isWarned, errors.Contains("its Delete time is past", StringComparison.Ordinal));
        Assert.Equal(isWarned, File.ReadAllText(output.Trim() + ".private").Contains("Delete:"));
    }

    [Fact]
    public async Task A_zone_without_keys_has_no_DS()
    {
        (int code, _, string errors) = await RunAsync("keys", "ds", Zone, "--keys", In("keys"));
        Assert.Equal(ExitCode.Bad, code);
        Assert.Contains("found no key of example.com.", errors, StringComparison.Ordinal);
    }

    private Task<(int Code, string Output, string Errors)> SignAsync(string source, string target,
        params string[] options)
    {
        if (!File.Exists(In("source"))) File.WriteAllText(In("source"), Text);
        return RunAsync(["zone", "sign", Zone, In(source), "--keys", In("keys"), "--output", In(target), .. options]);
    }

    private static async Task<(int Code, string Output, string Errors)> RunAsync(params string[] arguments)
    {
        using StringWriter output = new(), errors = new();
        int code = await DnsdCommand.InvokeAsync(arguments, output, errors);
        return (code, output.ToString(), errors.ToString());
    }

    private Zone Load(string name) => ZoneLoader.Load(DomainName.Parse(Zone), In(name)).Zone!;

    private string In(string name) => Path.Combine(_folder, name);
}
