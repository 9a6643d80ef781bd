using Dns.Testing;

namespace Dns.Commands.Tests;

/// <summary>
/// <c>dnsd keys request|sign-request|load-bundle</c> on the files of two folders: of the server, and of the machine
/// with the KSK.
/// </summary>
public sealed partial class OfflineKeyCommandTests : IDisposable
{
    private static readonly DomainName Zone = DomainName.Parse("a.example");
    private static readonly DnssecPolicy Policy = DnssecPolicy.Default with
    {
        Keys = KeyScheme.KskAndZsk, OfflineKsk = true, DnskeyTtl = TimeSpan.FromHours(1),
    };

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-offline-").FullName;

    public OfflineKeyCommandTests() =>
        new KeyStore(Server, TimeProvider.System.GetUtcNow).Save(Zone, ZoneKeys.Empty with { Policy = Policy });

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string Server => Path.Combine(_folder, "server");

    private string Elsewhere => Path.Combine(_folder, "elsewhere");

    private string Request => Path.Combine(_folder, "request");

    private string Bundle => Path.Combine(_folder, "bundle");

    private static async Task<(int Code, string Output, string Errors)> RunAsync(params string[] words)
    {
        StringWriter output = new(), errors = new();
        int code = await DnsdCommand.InvokeAsync(["keys", .. words], output, errors);
        return (code, output.ToString(), errors.ToString());
    }

    private async Task<(int Code, string Output, string Errors)> SignAsync()
    {
        await RequestAsync("--until", "365d");
        await GenerateKskAsync(Server);
        return await RunAsync("sign-request", Request, "--keys", Elsewhere, "--output", Bundle);
    }

    /// <summary>Generates a KSK; one that has the tag of a ZSK of the server by chance could not sign.</summary>
    private async Task GenerateKskAsync(string server)
    {
        while (true)
        {
            (int code, string path, _) = await RunAsync("generate", "a.example", "--ksk", "--keys", Elsewhere);
            Assert.Equal(0, code);
            string name = Path.GetFileName(path.Trim());
            if (!File.Exists(Path.Combine(server, name + ".key"))) return;
            foreach (string twin in Directory.EnumerateFiles(Elsewhere, name + ".*")) File.Delete(twin);
        }
    }

    /// <summary>Makes a request; returns its summary.</summary>
    private async Task<string> RequestAsync(params string[] words)
    {
        (int code, string output, string summary) =
            await RunAsync(["request", "a.example", "--keys", Server, "--output", Request, .. words]);
        Assert.Equal((0, ""), (code, output));
        return summary;
    }

    [Fact]
    public async Task A_request_is_signed_elsewhere_and_its_bundle_loaded()
    {
        (int code, string output, string summary) = await SignAsync();
        Assert.Equal((0, ""), (code, output));
        string digest = File.ReadAllText(Request).TrimEnd()[^64..];
        Assert.Contains($"sha256 {digest}", summary);
        Assert.Matches(@"4[0-9] key sets from ", summary);
        Assert.Matches(@"ksk ecdsap256sha256/\d+ in 4[0-9] key sets", summary);
        Assert.Equal(5, summary.Split("zsk ecdsap256sha256/").Length - 1);
        (code, output, string errors) = await RunAsync("load-bundle", "a.example", Bundle, "--keys", Server);
        Assert.Equal((0, ""), (code, errors));
        Assert.Matches(@"^there are signatures of the KSK until .* in 4[0-9] slots", output);
        // The private key of the KSK is elsewhere, its record is here.
        string ksk = Path.GetFileName(Directory.EnumerateFiles(Elsewhere, "*.private").Single());
        Assert.False(File.Exists(Path.Combine(Server, ksk)));
        Assert.True(File.Exists(Path.Combine(Server, Path.ChangeExtension(ksk, ".key"))));
        // A second request continues with the existing ZSKs.
        Assert.Equal(0,
            (await RunAsync("request", "a.example", "--until", "400d", "--keys", Server, "--output", Request)).Code);
        Assert.Equal(5, Directory.EnumerateFiles(Server, "*.private").Count());
    }

    [Fact]
    public async Task A_check_of_the_settings_finds_unusable_keys_and_missing_bundles()
    {
        string state = Path.Combine(_folder, "state"), settings = Path.Combine(_folder, "dnsd.json");
        string keys = Path.Combine(state, "keys");
        Directory.CreateDirectory(state);
        File.WriteAllText(Path.Combine(_folder, "a.zone"), "@ 60 SOA ns h 1 1 1 1 1\n@ 60 NS ns.other.\n");
        File.WriteAllText(settings, $$"""
            { "Dns": { "StateDirectory": "state", "Listen": ["127.0.0.1:0"],
                "DnssecPolicies": { "offline": { "Keys": "ksk+zsk", "OfflineKsk": true } },
                "Zones": [{ "Name": "a.example", "File": "a.zone", "Dnssec": "offline" }] } }
            """);
        Assert.Equal("", await CheckAsync(settings));
        string warning = $"{state}: warning: zone a.example.: ";
        string copy = Path.Combine(Directory.CreateDirectory(Path.Combine(state, "signed")).FullName, "a.example.copy");
        File.WriteAllText(copy, "");
        Assert.Equal(
            $"{warning}its keys are lost: there are none of it in {keys}, but {copy} is signed with some, and is served: "
                + "expected them back from a backup\n",
            await CheckAsync(settings));
        File.Delete(copy);
        Directory.Move(Server, keys);
        Assert.Equal($"{warning}its KSK is offline, and no bundle is loaded: expected dnsd keys load-bundle\n",
            await CheckAsync(settings));
        Assert.Equal(0, (await RunAsync("request", "a.example", "--until", "365d", "--keys", keys,
            "--output", Request)).Code);
        await GenerateKskAsync(keys);
        Assert.Equal(0, (await RunAsync("sign-request", Request, "--keys", Elsewhere, "--output", Bundle)).Code);
        Assert.Equal(0, (await RunAsync("load-bundle", "a.example", Bundle, "--keys", keys)).Code);
        Assert.Equal("", await CheckAsync(settings));
        string lost = Directory.EnumerateFiles(keys, "*.private").First();
        File.Delete(lost);
        Assert.StartsWith($"{warning}it cannot be signed: {lost}: ", await CheckAsync(settings));
        File.WriteAllText(Path.Combine(keys, "a.example.keystate"), "damaged");
        Assert.StartsWith($"{warning}it cannot be signed: {keys}", await CheckAsync(settings));
    }

    private static async Task<string> CheckAsync(string settings, int expected = ExitCode.Good, string? option = null)
    {
        StringWriter output = new(), errors = new();
        string[] words = ["check", "--config", settings], more = option is null ? [] : [option];
        int code = await DnsdCommand.InvokeAsync([.. words, .. more], output, errors);
        Assert.True(code == expected, errors.ToString());
        return errors.ToString();
    }

    [Theory]
    [InlineData(", \"Dnssec\": \"default\"", true)]
    [InlineData(", \"AllowUpdate\": [\"127.0.0.1\"]", false)]
    public async Task A_check_refuses_keys_that_cannot_be_read_as_a_start_does(
        string more, bool isSigned)
    {
        string state = Path.Combine(_folder, "state"), settings = Path.Combine(_folder, "dnsd.json");
        Directory.CreateDirectory(state);
        File.WriteAllText(Path.Combine(_folder, "a.zone"), "@ 60 SOA ns h 1 1 1 1 1\n@ 60 NS ns.other.\n");
        File.WriteAllText(settings, $$"""
            { "Dns": { "StateDirectory": "state", "Listen": ["127.0.0.1:0"],
                "Zones": [{ "Name": "a.example", "File": "a.zone"{{more}} }] } }
            """);
        Assert.DoesNotContain(state, await CheckAsync(settings));
        // A cycle of symlinks cannot be read, by root either.
        foreach (string name in (string[])["keys", "signed"])
            File.CreateSymbolicLink(Path.Combine(state, name), Path.Combine(state, name));
        string errors = await CheckAsync(settings, isSigned ? ExitCode.Bad : ExitCode.Good);
        string unknown = $"{Path.Combine(state, "keys")} and {Path.Combine(state, "signed")} cannot be read";
        if (isSigned) Assert.Contains($"{settings}:1:12: error: {unknown}", errors);
        else Assert.DoesNotContain(unknown, errors);
        if (isSigned)
            Assert.Contains($"warning: {unknown}", await CheckAsync(settings, option: "--other-machine"));
    }

    [Fact]
    public async Task A_request_that_was_lost_is_made_again_of_the_same_keys()
    {
        string[] words = ["request", "a.example", "--until", "365d", "--keys", Server];
        Assert.Equal(0, (await RunAsync(words)).Code);
        string[] keys = [.. Directory.EnumerateFiles(Server, "*.private").Order()];
        (_, string output, _) = await RunAsync(words);
        Assert.Equal(keys, Directory.EnumerateFiles(Server, "*.private").Order());
        Assert.True(
            KeySetText.TryRead(output, isBundle: false, out KeySets? request, out TextFault? fault), $"{fault}");
        Assert.Equal(keys.Length, request.Slots.SelectMany(slot => slot.Keys).Distinct().Count());
    }

    [LinuxFact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public async Task A_bundle_is_kept_for_its_owner_alone()
    {
        await SignAsync();
        await RunAsync("load-bundle", "a.example", Bundle, "--keys", Server);
        string kept = new KeyStore(Server, TimeProvider.System.GetUtcNow).BundlePathOf(Zone);
        Assert.Equal("600", Convert.ToString((int)File.GetUnixFileMode(kept), 8));
    }

    [Fact]
    public async Task A_file_that_was_changed_or_is_another_is_not_taken()
    {
        await SignAsync();
        string bundle = File.ReadAllText(Bundle);
        Assert.Contains("found a request: \"dnsd keys sign-request\" makes a bundle of it",
            await LoadAsync(File.ReadAllText(Request)));
        Assert.Contains("the digest at its end is not that of its lines",
            await LoadAsync(bundle.Replace(" 257 3 ", " 256 3 ")));
        Assert.Contains("the digest at its end is not that of its lines", await LoadAsync(bundle[..^100]));
        Assert.Contains("1:1: expected dnsd-key-bundle 1", await LoadAsync("x"));
        (int code, _, string errors) = await RunAsync("load-bundle", "b.example", Bundle, "--keys", Server);
        Assert.Equal(1, code);
        Assert.Contains("found a bundle of zone a.example., expected one of b.example.", errors);
        (code, _, errors) = await RunAsync("sign-request", Bundle, "--keys", Elsewhere);
        Assert.Equal(1, code);
        Assert.Contains("expected dnsd-key-request 1, found a bundle", errors);
        (code, _, errors) = await RunAsync("sign-request", Request, "--keys", Server);
        Assert.Equal(1, code);
        Assert.Contains("found no KSK of a.example. with a private key", errors);
        Assert.Null(new KeyStore(Server, TimeProvider.System.GetUtcNow).LoadBundle(Zone));
    }

    [Fact]
    public async Task A_bundle_that_ends_before_the_loaded_one_is_taken_by_force_alone()
    {
        await SignAsync();
        string[] shorter = ["request", "a.example", "--until", "100d", "--keys", Server, "--output"];
        string request = Path.Combine(_folder, "short"), bundle = Path.Combine(_folder, "short.bundle");
        Assert.Equal(0, (await RunAsync([.. shorter, request])).Code);
        Assert.Equal(0, (await RunAsync("sign-request", request, "--keys", Elsewhere, "--output", bundle)).Code);
        Assert.Equal(0, (await RunAsync("load-bundle", "a.example", Bundle, "--keys", Server)).Code);
        KeyStore store = new(Server, TimeProvider.System.GetUtcNow);
        string kept = File.ReadAllText(store.BundlePathOf(Zone));
        DateTimeOffset end = store.LoadBundle(Zone)!.End;
        (int code, _, string errors) = await RunAsync("load-bundle", "a.example", bundle, "--keys", Server);
        Assert.Equal(1, code);
        Assert.Contains($"its last signatures end at ", errors);
        Assert.Contains($"those that are loaded at {end:u}: expected a newer one, or --force", errors);
        Assert.Equal(kept, File.ReadAllText(store.BundlePathOf(Zone)));
        // The same one again is no loss.
        Assert.Equal(0, (await RunAsync("load-bundle", "a.example", Bundle, "--keys", Server)).Code);
        (code, _, errors) = await RunAsync("load-bundle", "a.example", bundle, "--keys", Server, "--force");
        Assert.Equal((0, ""), (code, errors));
        Assert.True(store.LoadBundle(Zone)!.End < end);
    }

    [Theory]
    [InlineData("load-bundle", "a.example")]
    [InlineData("sign-request")]
    public async Task A_file_that_is_not_there_or_a_folder_is_told(params string[] words)
    {
        (int code, _, string errors) = await RunAsync([.. words, _folder, "--keys", Server]);
        Assert.Equal((1, $"dnsd: error: {_folder}: it is a directory: expected a file{Environment.NewLine}"),
            (code, errors));
        string missing = Path.Combine(_folder, "none");
        (code, _, errors) = await RunAsync([.. words, missing, "--keys", Server]);
        Assert.Equal((1, $"dnsd: error: {missing}: the file does not exist{Environment.NewLine}"), (code, errors));
    }

    [Fact]
    public async Task Settings_with_errors_are_what_a_request_tells()
    {
        string settings = Path.Combine(_folder, "dnsd.json"), state = Path.Combine(_folder, "state");
        File.WriteAllText(settings, $$"""
            { "Dns": { "StateDirectory": "{{state.Replace("\\", "/")}}", "Workrs": 1, "Zones": [] } }
            """);
        foreach (string command in (string[])["request --until 30d", "rollover", "submitted", "list"])
        {
            (int code, string output, string errors) =
                await RunAsync([.. command.Split(' '), "a.example", "--config", settings]);
            Assert.Equal((1, ""), (code, output));
            Assert.Contains("unknown setting Dns:Workrs", errors);
        }
        Assert.False(Directory.Exists(state));
        (int result, _, string why) =
            await RunAsync("request", "a.example", "--until", "30d", "--config", settings, "--keys", Server);
        Assert.Equal(1, result);
        Assert.Contains("unknown setting Dns:Workrs", why);
        Assert.Empty(Directory.EnumerateFiles(Server, "*.private"));
    }

    [Fact]
    public async Task A_request_is_made_by_the_policy_of_the_settings_that_are_given()
    {
        string settings = Path.Combine(_folder, "dnsd.json");
        File.WriteAllText(Path.Combine(_folder, "b.zone"), "@ 60 SOA ns h 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2.1\n");
        File.WriteAllText(settings, """
            { "Dns": { "DnssecPolicies": { "away": { "Keys": "ksk+zsk", "OfflineKsk": true } },
                "Zones": [ { "Name": "b.example", "File": "b.zone", "Dnssec": "away" } ] } }
            """);
        string[] words = ["request", "b.example", "--until", "30d", "--keys", Server];
        Assert.Contains("policy default keeps the KSK here", (await RunAsync(words)).Errors);
        (int code, string output, string summary) = await RunAsync([.. words, "--config", settings]);
        Assert.Equal(0, code);
        Assert.StartsWith("zone b.example., request of ", summary);
        Assert.StartsWith("dnsd-key-request 1", output);
    }

    private async Task<string> LoadAsync(string text)
    {
        string path = Path.Combine(_folder, "other");
        File.WriteAllText(path, text);
        (int code, _, string errors) = await RunAsync("load-bundle", "a.example", path, "--keys", Server);
        Assert.Equal(1, code);
        return errors;
    }

    [Theory]
    [InlineData("soon", 2, "--until soon: expected a time such as now, 365d, 2027-01-01 or 2027-01-01T12:00:00Z")]
    [InlineData("2001-01-01", 1, "zone a.example.: expected an end later than ")]
    [InlineData("2999-01-01", 1, "zone a.example.: expected an end within ten years of ")]
    public async Task Times_that_cannot_be_are_told(string until, int expected, string why)
    {
        (int code, _, string errors) = await RunAsync("request", "a.example", "--until", until, "--keys", Server);
        Assert.Equal(expected, code);
        Assert.Contains(why, errors);
    }
}
