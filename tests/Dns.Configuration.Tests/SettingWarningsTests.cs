using Dns.Testing;

namespace Dns.Configuration.Tests;

/// <summary>What is permitted and may not be meant.</summary>
public sealed class SettingWarningsTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private string[] Warnings(string dns)
    {
        Settings settings = _folder.Read($$"""{ "Dns": {{dns}} }""");
        Assert.Empty(settings.Problems);
        return [.. settings.Warnings
            .Select(warning => warning.ToString().Replace(_folder.Root + Path.DirectorySeparatorChar, ""))];
    }

    [Theory]
    [InlineData(15, true)]
    [InlineData(16, false)]
    public void A_secret_shorter_than_half_of_the_code_is_told(int octets, bool isTold) =>
        Assert.Equal(
            isTold
                ? ["dnsd.json:1:26: warning: the secret of key k1. is shorter than half of the 32 octets that " +
                    "hmac-sha256 makes of it: "
                    + "it can be guessed sooner"]
                : [],
            Warnings($$"""
                { "TsigKeys": [ { "Name": "k1.", "Secret": "{{Convert.ToBase64String(new byte[octets])}}" } ], "AllowTransfer": [ "key:k1." ] }
                """));

    [Theory]
    [InlineData("hmac-md5")]
    [InlineData("hmac-sha1")]
    public void A_key_of_a_weak_algorithm_is_told(string algorithm) =>
        Assert.Equal(
            [$"dnsd.json:1:26: warning: key k1. uses {algorithm}, which is only for peers that have nothing else: "
                + "expected hmac-sha256 or longer"],
            Warnings($$"""
                { "TsigKeys": [ { "Name": "k1.", "Algorithm": "{{algorithm}}", "Secret": "{{new string('A', 44)}}" } ],
                  "AllowTransfer": [ "key:k1." ] }
                """));

    [Fact]
    public void A_zone_whose_name_is_probably_misspelled_is_told() =>
        Assert.Equal(
            [
                "dnsd.json:1:25: warning: Dns:Zones:0:Name: the zone example,com. has \",\" in its name: expected "
                    + "letters, digits, hyphens and underscores",
                "dnsd.json:2:18: warning: Dns:Forward:0:Zone: the zone b:5353. has \":\" in its name: expected "
                    + "letters, digits, hyphens and underscores",
            ],
            Warnings("""
                { "Zones": [ { "Name": "example,com", "File": "a" }, { "Name": "_a.0/25.x-1", "File": "b" } ],
                  "Forward": [ { "Zone": "b:5353", "Upstreams": [ "192.0.2.1" ] } ] }
                """));

    [Fact]
    public void A_key_that_nothing_uses_is_a_note() =>
        Assert.Equal(
            ["dnsd.json:1:26: note: key k1. is used by no setting"],
            Warnings($$"""{ "TsigKeys": [ { "Name": "k1.", "Secret": "{{new string('A', 44)}}" } ] }"""));

    [LinuxFact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public void A_secret_that_every_user_can_read_is_told()
    {
        string file = Path.Join(_folder.Root, "k1.secret");
        File.WriteAllText(file, new string('A', 44));
        const string settings =
            """{ "TsigKeys": [ { "Name": "k1.", "SecretFile": "k1.secret" } ], "AllowTransfer": [ "key:k1." ] }""";
        File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead);
        Assert.Equal(
            ["dnsd.json:1:43: warning: the secret of key k1. can be read by every user of this machine: expected a " +
                "file that only the server "
                + "reads"],
            Warnings(settings));
        File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead);
        Assert.Empty(Warnings(settings));
    }

    [Fact]
    public void Transfers_to_everybody_are_a_note() =>
        Assert.Equal(
            ["dnsd.json:1:44: note: Dns:AllowTransfer:1: all clients may transfer the zone"],
            Warnings("""{ "AllowTransfer": [ "192.0.2.1", "any" ] }"""));

    [Fact]
    public void A_notify_to_this_server_is_told_with_its_place() =>
        Assert.Equal(
            ["dnsd.json:1:69: warning: Dns:Notify:1: 127.0.0.1:5300 is where this server itself listens " +
                "(127.0.0.1:5300)"],
            Warnings("""{ "Listen": [ "127.0.0.1:5300" ], "Notify": [ "192.0.2.1", "127.0.0.1:5300" ] }"""));

    [Fact]
    public void Transfers_of_a_zone_whose_answers_are_signed_are_told()
    {
        const string why = "policy c signs each answer, and a copy would have no signatures";
        Assert.Equal(
            [$"warning: Dns:Zones:0:AllowTransfer: every transfer is refused: {why}",
                $"warning: Dns:Zones:0:Notify: secondaries are notified, and get no transfer: {why}"],
            Warnings("""
                { "DnssecPolicies": { "c": { "Denial": "compact" } },
                  "Templates": { "t": { "Notify": [ "192.0.2.1" ] } }, "Zones": [
                  { "Name": "a", "File": "a", "Dnssec": "c", "AllowTransfer": [ "192.0.2.1" ], "Template": "t" },
                  { "Name": "b", "File": "b", "Dnssec": "default", "AllowTransfer": [ "192.0.2.1" ] } ] }
                """).Select(line => line[(line.IndexOf(' ') + 1)..]));
    }

    [Fact]
    public void Updates_without_a_key_are_told_where_the_list_stands() =>
        Assert.Equal(
            ["dnsd.json:1:51: warning: Dns:Templates:t:AllowUpdate:0: 192.0.2.0/24 may update without a key: the " +
                "address of a datagram "
                + "is easily forged"],
            Warnings("""
                { "Templates": { "t": { "AllowUpdate": [ "192.0.2.0/24" ] } }, "Zones": [ { "Name": "a", "File": "a", "Template": "t" } ] }
                """));
}
