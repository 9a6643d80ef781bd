namespace Dns.Configuration.Tests;

/// <summary>Keys and lists of peers in the settings.</summary>
public sealed class TransferSettingsTests : IDisposable
{
    private const string Secret = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IQ==";
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_key_has_its_secret_in_the_settings_or_in_a_file()
    {
        _folder.Write("k2.secret", Secret + "\n");
        TsigKeyRing keys = new(_folder.Options($$"""
            { "TsigKeys": [ { "Name": "k1", "Secret": "{{Secret}}" },
                            { "Name": "k2.", "Algorithm": "HMAC-SHA512", "SecretFile": "k2.secret" } ] }
            """).TsigKeys);
        Assert.Equal(2, keys.Count);
        Assert.Equal(TsigAlgorithm.HmacSha256, keys.Find(DomainName.Parse("K1."))!.Algorithm);
        Assert.Equal(TsigAlgorithm.HmacSha512, keys.Find(DomainName.Parse("k2."))!.Algorithm);
    }

    [Theory]
    [InlineData("""{ "Name": "k1." }""",
        "Dns:TsigKeys:0: expected either Secret, in base 64, or SecretFile, a file that holds it")]
    [InlineData("""{ "Name": "k1.", "Secret": "not base 64!" }""",
        "Dns:TsigKeys:0:Secret: expected 1 to 512 octets in base 64, as \"dnsd tsig generate\" writes them")]
    [InlineData("""{ "Name": "k1..", "Secret": "AAAA" }""",
        "Dns:TsigKeys:0:Name: expected the name of the key, such as \"k1.example.\"")]
    [InlineData("""{ "Name": "k1.", "Secret": "AAAA", "Algorithm": "sha3" }""",
        "Dns:TsigKeys:0:Algorithm: expected one of hmac-sha256, hmac-sha384, hmac-sha512; hmac-sha1 and hmac-md5 " +
            "for peers that have nothing else")]
    [InlineData("""{ "Name": "k1.", "SecretFile": "/none/k1" }""",
        "Dns:TsigKeys:0:SecretFile: there is no file /none/k1, expected a file that holds the secret in base 64")]
    [InlineData("""{ "Name": "k1.", "SecretFile": "/" }""",
        "Dns:TsigKeys:0:SecretFile: / is a directory, expected a file that holds the secret in base 64")]
    [InlineData("\"k1\"", "Dns:TsigKeys:0: expected an object with Name, Algorithm, and Secret or SecretFile")]
    public void A_key_that_is_none_is_told_with_what_was_expected(string key, string expected) =>
        Assert.EndsWith(": error: " + expected,
            Assert.Single(_folder.Problems($$"""{ "Dns": { "TsigKeys": [ {{key}} ] } }""")));

    [Theory]
    [InlineData("", "is empty, or a pipe or a device, expected a file that holds the secret in base 64")]
    [InlineData("none!", "expected 1 to 512 octets in base 64, as \"dnsd tsig generate\" writes them")]
    public void A_file_without_a_secret_is_named(string text, string expected)
    {
        _folder.Write("k1.secret", text);
        string problem = Assert.Single(_folder.Problems(
            """{ "Dns": { "TsigKeys": [ { "Name": "k1.", "SecretFile": "k1.secret" } ] } }"""));
        Assert.Contains("Dns:TsigKeys:0:SecretFile: k1.secret", problem);
        Assert.EndsWith(expected, problem);
    }

    [Fact]
    public void A_key_is_given_once() =>
        Assert.EndsWith(
            "Dns:TsigKeys:1: key K1. is given twice",
            Assert.Single(_folder.Problems(
                """{ "Dns": { "TsigKeys": [ { "Name": "k1.", "Secret": "AAAA" }, { "Name": "K1.", "Secret": "AAAA" } ] } }""")));

    [Fact]
    public void Who_may_transfer_is_set_for_all_zones_and_for_one()
    {
        ServerOptions options = _folder.Options("""
            { "AllowTransfer": [ "192.0.2.0/24", "key:k1.", "2001:db8::1 key:k2" ],
              "TsigKeys": [ { "Name": "k1.", "Secret": "AAAA" }, { "Name": "k2.", "Secret": "AAAA" } ],
              "Zones": [ { "Name": "a.example", "File": "a.zone", "AllowTransfer": [] }, { "Name": "b.example", "File": "b.zone" } ] }
            """);
        Assert.Equal([null, DomainName.Parse("k1."), DomainName.Parse("k2.")],
            options.AllowTransfer.Select(rule => rule.Key));
        Assert.Empty(options.Zones[0].Policy!.AllowTransfer!.Rules);
        Assert.Null(options.Zones[1].Policy);
    }

    [Theory]
    [InlineData("10.0.0.5/8")]
    [InlineData("key:")]
    [InlineData("key:a key:b")]
    [InlineData("192.0.2.1 192.0.2.2")]
    [InlineData("")]
    public void An_element_that_is_no_peer_is_told(string element) =>
        Assert.Contains(
            "Dns:AllowTransfer:0 is ",
            Assert.Single(_folder.Problems($$"""{ "Dns": { "AllowTransfer": [ "{{element}}" ] } }""")));

    [Fact]
    public void A_list_that_names_a_key_which_is_not_there_is_told() =>
        Assert.EndsWith(
            "Dns:AllowTransfer:0: there is no key k9. in Dns:TsigKeys",
            Assert.Single(_folder.Problems("""{ "Dns": { "AllowTransfer": [ "key:k9." ] } }""")));

    [Fact]
    public void A_key_that_is_nearly_named_is_suggested() =>
        Assert.EndsWith(
            "Dns:Notify:0: there is no key k1.exmple. in Dns:TsigKeys: did you mean \"key:k1.example.\"?",
            Assert.Single(_folder.Problems("""
                { "Dns": { "Notify": [ "192.0.2.1 key:k1.exmple" ], "TsigKeys": [ { "Name": "k1.example", "Secret": "AAAA" } ] } }
                """)));

    [Theory]
    [InlineData("""{ "Name": "k1.", "Secret": "not base 64!" }""")]
    [InlineData("""{ "Name": "k1..", "Secret": "AAAA" }""")]
    [InlineData("\"k1\"")]
    public void A_key_with_an_error_is_not_missed_as_well(string key) =>
        Assert.Single(_folder.Problems($$"""{ "Dns": { "AllowTransfer": [ "key:k1." ], "TsigKeys": [ {{key}} ] } }"""));

    [Fact]
    public void A_member_that_a_key_does_not_have_is_answered_with_the_nearest_one() =>
        Assert.EndsWith(
            "Dns:TsigKeys:0: there is a setting Secrt: did you mean \"Secret\"?",
            Assert.Single(_folder.Problems("""{ "Dns": { "TsigKeys": [ { "Name": "k1.", "Secrt": "AAAA" } ] } }""")));

    [Fact]
    public void A_member_of_a_key_that_may_be_its_secret_is_not_repeated() =>
        Assert.EndsWith(
            "Dns:TsigKeys:0: there is a setting that a key does not have: expected one of Name, Algorithm, Secret, " +
                "SecretFile",
            Assert.Single(
                _folder.Problems($$"""{ "Dns": { "TsigKeys": [ { "Name": "k1.", "{{Secret}}": true } ] } }""")));

    [Theory]
    [InlineData("""{ "Zones": [ { "Name": "a", "File": "a", "AllowTransfer": [ "key:k9." ] } ] }""",
        "Dns:Zones:0:AllowTransfer:0")]
    [InlineData("""{ "Zones": [ { "Name": "a", "File": "a", "Notify": [ "192.0.2.1 key:k9." ] } ] }""",
        "Dns:Zones:0:Notify:0")]
    [InlineData("""{ "Zones": [ { "Name": "a", "Type": "secondary", "Primaries": [ "192.0.2.1 key:k9." ] } ] }""",
        "Dns:Zones:0:Primaries:0")]
    [InlineData("""{ "Templates": { "t": { "AllowNotify": [ "key:k9." ] } } }""", "Dns:Templates:t:AllowNotify:0")]
    [InlineData("""{ "AllowUpdate": [ { "From": "key:k9." } ] }""", "Dns:AllowUpdate:0:From")]
    public void Every_use_of_a_key_is_checked(string dns, string path) =>
        Assert.EndsWith(
            $"error: {path}: there is no key k9. in Dns:TsigKeys",
            Assert.Single(_folder.Problems($$"""{ "Dns": {{dns}} }""")));
}
