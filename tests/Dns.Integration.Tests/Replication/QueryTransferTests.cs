namespace Dns.Integration.Tests;

/// <summary><c>dnsd query</c> requests zone transfers, and signs its queries.</summary>
public sealed class QueryTransferTests : IDisposable
{
    private const string Secret = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=";
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-query-").FullName;
    private DnsdProcess? _dnsd;

    public void Dispose()
    {
        _dnsd?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task A_signed_transfer_is_printed_whole_and_verified()
    {
        string server = await StartAsync();
        var (code, output) = await QueryAsync("z.test", "AXFR", server, "-y", $"hmac-sha256:k1.:{Secret}");
        Assert.Equal(0, code);
        string[] lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.StartsWith("z.test.\t300\tIN\tSOA\t", lines[0]);
        Assert.Contains("host-20000.z.test.\t300\tIN\tA\t192.0.2.9", lines);
        Assert.Contains(lines,
            line => line.StartsWith(";; XFR size: 20004 records (messages ", StringComparison.Ordinal));
        Assert.Equal(2, lines.Count(line => line.Contains("\tSOA\t")));
    }

    [Fact]
    public async Task A_key_is_read_from_the_file_that_a_command_has_written()
    {
        string server = await StartAsync(), file = Path.Combine(_folder, "k1.json");
        await File.WriteAllTextAsync(file,
            $$"""{ "Name": "k1.", "Algorithm": "hmac-sha256", "Secret": "{{Secret}}" }""");
        var (code, output) = await QueryAsync("z.test", "SOA", server, "--key", file);
        Assert.Equal(0, code);
        Assert.Contains("\tTSIG\t", output);
        Assert.Equal(0, (await QueryAsync("z.test", "IXFR=42", server, "--key", file)).Code);
    }

    [Fact]
    public async Task A_refused_transfer_and_a_wrong_secret_are_no_success()
    {
        string server = await StartAsync();
        var (code, output) = await QueryAsync("z.test", "AXFR", server);
        Assert.Equal(1, code);
        Assert.Contains("status: REFUSED", output);
        Assert.Contains("the zone is not transferred: REFUSED", output);
        (code, output) = await QueryAsync("z.test", "SOA", server, "-y", "k1.:AAAA");
        Assert.Equal(1, code);
        Assert.Contains("the server does not accept the signature of the query: BADSIG", output);
    }

    private async Task<string> StartAsync()
    {
        await File.WriteAllTextAsync(Path.Combine(_folder, "z.zone"),
            "$TTL 300\n@ SOA ns hostmaster 42 3600 600 86400 60\n@ NS ns\nns A 192.0.2.1\n$GENERATE 1-20000 host-$ " +
                "A 192.0.2.9\n");
        await File.WriteAllTextAsync(Path.Combine(_folder, "dnsd.json"), $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "TsigKeys": [ { "Name": "k1.", "Secret": "{{Secret}}" } ],
                "Zones": [ { "Name": "z.test", "File": "z.zone", "AllowTransfer": [ "key:k1." ] } ] } }
            """);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        return "@" + await _dnsd.WaitUntilLoadedAsync();
    }

    private static async Task<(int Code, string Output)> QueryAsync(params string[] words)
    {
        StringWriter output = new();
        int code = await DnsdCommand.InvokeAsync(["query", .. words], output, output);
        return (code, output.ToString());
    }
}
