namespace Dns.Integration.Tests;

/// <summary>
/// <c>dnsd query +dnssec</c> against a server with a zone that <c>dnsd zone sign</c> has signed: who signed, and
/// whether the chain holds.
/// </summary>
public sealed class QueryChainTests : IAsyncLifetime
{
    private const string Zone = """
        $TTL 3600
        @ SOA ns host 1 3600 600 86400 300
        @ NS ns
        ns A 192.0.2.1
        www A 192.0.2.2
        bad A 192.0.2.3
        *.wild TXT "x"
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("dns-chain").FullName;
    private DnsdProcess _dnsd = null!;
    private string _server = "";
    private string _anchor = "";

    public async ValueTask InitializeAsync()
    {
        string source = In("a.test.zone"), signed = In("signed.zone"), keys = In("keys");
        _anchor = In("anchor");
        File.WriteAllText(source, Zone);
        await PrintAsync(ExitCode.Good, "zone", "sign", "a.test", source, "--keys", keys, "--output", signed);
        File.WriteAllText(_anchor, await PrintAsync(ExitCode.Good, "keys", "ds", "a.test", "--keys", keys));
        File.WriteAllText(signed, File.ReadAllText(signed).Replace("192.0.2.3", "192.0.2.33"));
        _dnsd = DnsdProcess.Start(_folder, ["run", "--listen", "127.0.0.1:0", "--zone", $"a.test={signed}"]);
        _server = "@" + await _dnsd.WaitUntilLoadedAsync();
    }

    public ValueTask DisposeAsync()
    {
        _dnsd.Dispose();
        Directory.Delete(_folder, recursive: true);
        return ValueTask.CompletedTask;
    }

    [Fact]
    public async Task A_chain_is_explained()
    {
        string plain = await PrintAsync(ExitCode.Good, "query", "www.a.test", "+dnssec", _server);
        Assert.Contains(";; A at www.a.test.: a.test. ecdsap256sha256/", plain);
        string secure = await PrintAsync(ExitCode.Good, "query", "www.a.test", "+dnssec", _server, "--anchor", _anchor);
        Assert.Contains(";; a.test. secure, ecdsap256sha256/", secure);
        Assert.Contains(";; A at www.a.test.: secure, signed by a.test. ecdsap256sha256/", secure);
        Assert.EndsWith(";; VERDICT: secure", secure.TrimEnd());
        Assert.Contains("VERDICT: secure",
            await PrintAsync(ExitCode.Good, "query", "missing.a.test", "+dnssec", _server, "--anchor", _anchor));
        Assert.Contains("of a wildcard",
            await PrintAsync(ExitCode.Good, "query", "x.wild.a.test", "TXT", _server, "--anchor", _anchor));
    }

    [Fact]
    public async Task A_chain_that_breaks_is_told_with_its_place()
    {
        string changed = await PrintAsync(ExitCode.Bad, "query", "bad.a.test", "+dnssec", _server, "--anchor", _anchor);
        Assert.Contains(";; VERDICT: bogus: A at bad.a.test.: the signature does not verify", changed);
        string other = In("other");
        File.WriteAllText(other,
            "a.test. IN DS 1 13 2 (\n  3AA5AB37EFCE57F737FC1627013FEE07BDF241BD\n  10F3B1964AB55C78E79A304B )\n");
        string wrong = await PrintAsync(ExitCode.Bad, "query", "www.a.test", "+dnssec", _server, "--anchor", other);
        Assert.Contains(";; VERDICT: bogus: no DNSKEY at a.test. is the one that the anchor names", wrong);
    }

    [Fact]
    public async Task Anchors_that_cannot_be_read_have_a_place()
    {
        string file = In("anchors");
        File.WriteAllText(file, "; comment\na.test. IN DS 1 13 2 zz\n");
        string text = await PrintAsync(ExitCode.Usage, "query", "www.a.test", "+dnssec", _server, "--anchor", file);
        Assert.Contains($"--anchor: {file}:2:22: expected ", text);
    }

    private string In(string name) => Path.Combine(_folder, name);

    private static async Task<string> PrintAsync(int expected, params string[] args)
    {
        using StringWriter output = new(), errors = new();
        int code = await DnsdCommand.InvokeAsync(args, output, errors);
        Assert.True(code == expected, $"{code}: {output}{errors}");
        return $"{output}{errors}";
    }
}
