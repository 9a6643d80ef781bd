namespace Dns.Management.Tests.Client;

public sealed class QueryKeyTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("k1:AAAA", "k1. hmac-sha256")]
    [InlineData("hmac-sha512:k1.example.:AAAA", "k1.example. hmac-sha512")]
    public void A_key_is_written_as_for_dig(string text, string expected)
    {
        TsigKey key = QueryKey.Parse(text, out _)!;
        Assert.Equal(expected, $"{key} {key.Algorithm.Text()}");
    }

    [Theory]
    [InlineData("k1")]
    [InlineData("k1:not base 64!")]
    [InlineData("md4:k1:AAAA")]
    [InlineData("a..b:AAAA")]
    [InlineData("hmac-sha256:k1:AAAA:x")]
    public void What_is_no_key_is_told_without_its_secret(string text)
    {
        Assert.Null(QueryKey.Parse(text, out string problem));
        Assert.NotEmpty(problem);
        Assert.DoesNotContain("AAAA", problem);
        Assert.DoesNotContain("base 64!", problem);
    }

    [Theory]
    [InlineData("""{ "Name": "k1.", "Algorithm": "hmac-sha384", "Secret": "AAAA" }""", true)]
    [InlineData("""{ "Name": "k1.", "Secret": "AAAA" }""", true)]
    [InlineData("""{ "Name": "k1.", "Secret": { } }""", false)]
    [InlineData("""{ "Name": "k1.", "Secret": """, false)]
    [InlineData("[ ]", false)]
    public void A_file_holds_a_key_as_the_command_prints_it(string text, bool isKey) =>
        Assert.Equal(isKey, QueryKey.Read(_folder.Write("key", text), out _) is not null);

    [Theory]
    [InlineData("key \"k1.example\" {\n    algorithm hmac-sha384;\n    secret \"AAAA\";\n};\n", true)]
    [InlineData("# a comment\nkey k1.example. { /* of } */ secret AAAA; // it\nalgorithm \"hmac-sha384\"; };", true)]
    [InlineData("key{", false)]
    [InlineData("key \"k1.example\" { algorithm hmac-sha384; };", false)]
    [InlineData("key \"k1.example\" { secret \"AAAA\"; };", false)]
    [InlineData("key \"k1.example\" { algorithm hmac-sha384; secret \"AAAA\"; secret \"AAAA\"; };", false)]
    [InlineData("key \"k1.example\" { algorithm hmac-sha384; secret \"AAAA\"; }", false)]
    [InlineData("key \"k1.example\" { algorithm md4; secret \"AAAA\"; };", false)]
    [InlineData("key \"k1.example\" { algorithm hmac-sha384; secret \"not base 64!\"; };", false)]
    [InlineData("key \"k1.example\" { algorithm hmac-sha384; secret \"AAAA\"; }; key k2 { };", false)]
    public void A_file_holds_a_key_as_dig_and_nsupdate_take_it(string text, bool isKey)
    {
        TsigKey? key = QueryKey.Read(_folder.Write("key", text), out string problem);
        Assert.Equal(isKey ? "k1.example. hmac-sha384" : null, key is null ? null : $"{key} {key.Algorithm.Text()}");
        Assert.DoesNotContain("AAAA", problem);
    }

    [Fact]
    public void A_file_that_is_not_there_is_named()
    {
        Assert.Null(QueryKey.Read(Path.Combine(_folder.Root, "none"), out string problem));
        Assert.Contains("none", problem);
        Assert.Null(QueryKey.Read(_folder.Root, out problem));
        Assert.StartsWith($"{_folder.Root} is a directory, expected one key", problem);
    }
}
