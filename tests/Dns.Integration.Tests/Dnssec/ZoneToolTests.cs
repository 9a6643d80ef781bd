namespace Dns.Integration.Tests;

/// <summary>
/// <c>dnsd zone check --dnssec</c> says of good and damaged zones what ldns-verify-zone, dnssec-verify and kzonecheck
/// say, as far as they are installed. Signed by ldns-signzone and dnssec-signzone.
/// </summary>
public sealed class ZoneToolTests : IDisposable
{
    private const string Apex = "example.net";

    private const string Source = """
        $TTL 3600
        example.net. IN SOA ns.example.net. host.example.net. 1 3600 600 86400 300
        example.net. IN NS ns.example.net.
        example.net. IN MX 10 Mail.Example.NET.
        ns.example.net. IN A 192.0.2.1
        mail.example.net. IN A 192.0.2.2
        mail.example.net. IN AAAA 2001:db8::2
        www.example.net. IN CNAME mail.example.net.
        *.wild.example.net. IN TXT "x" "y"
        a.b.c.example.net. IN A 192.0.2.3
        sub.example.net. IN NS ns.sub.example.net.
        sub.example.net. IN DS 12345 13 2 3AA5AB37EFCE57F737FC1627013FEE07BDF241BD10F3B1964AB55C78E79A304B
        ns.sub.example.net. IN A 192.0.2.4
        sub2.example.net. IN NS ns.example.org.
        d.example.net. IN DNAME example.org.

        """;

    private static readonly (string Tool, string[] Arguments)[] Verifiers =
    [
        ("ldns-verify-zone", ["FILE"]),
        ("dnssec-verify", ["-q", "-o", Apex, "FILE"]),
        ("kzonecheck", ["-d", "on", "-o", Apex, "FILE"]),
    ];

    private readonly string _folder = Directory.CreateTempSubdirectory("dns-signed").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>
    /// The signer, its options, the record that is taken out or changed, what it is changed to, whether the zone is
    /// good, and which tool does not look for that.
    /// </summary>
    public static TheoryData<string, string, string, string, bool, string> Zones => new()
    {
        { "ldns", "", "", "", true, "" },
        { "ldns", "-n", "", "", true, "" },
        { "ldns", "-n -t 5 -s ab12", "", "", true, "" },
        { "ldns", "-n -p", "", "", true, "" },
        { "ldns", "-z 1:1 -z 1:2", "", "", true, "" },
        { "ldns", "-e 20200201000000 -i 20200101000000", "", "", false, "" },
        { "ldns", "", "mail.example.net. 3600 IN RRSIG AAAA ", "", false, "" },
        { "ldns", "", "192.0.2.2", "192.0.2.9", false, "" },
        { "ldns", "", "mail.example.net. 300 IN NSEC ", "", false, "" },
        { "ldns", "", "a.b.c.example.net. 3600 IN A ", "", false, "ldns-verify-zone" },
        { "ldns", "-n", " IN NSEC3 ", "", false, "" },
        { "ldns", "-n", " IN NSEC3PARAM ", "", false, "ldns-verify-zone" },
        { "ldns", "-n", "mail.example.net. 3600 IN A ", "", false, "ldns-verify-zone" },
        { "bind", "", "", "", true, "" },
        { "bind", "-3 -", "", "", true, "" },
        { "bind", "-3 abcd -H 5", "", "", true, "" },
        { "bind", "-3 - -A", "", "", true, "" },
        { "bind", "-3 - -A", "sub2.example.net. 3600 IN NS ", "", true, "" },
        { "bind", "-3 -", "sub2.example.net. 3600 IN NS ", "", false, "kzonecheck" },
        { "bind", "", "192.0.2.3", "192.0.2.9", false, "" },
        { "bind", "", " IN DS ", "", false, "ldns-verify-zone" },
        { "bind", "-x", " IN RRSIG DNSKEY ", "", false, "" },
    };

    [Theory]
    [MemberData(nameof(Zones))]
    public async Task A_signed_zone_is_judged_as_others_judge_it(
        string signer, string options, string record, string replacement, bool isGood, string unnoticedBy)
    {
        string file = await SignAsync(signer, options);
        if (record.Length > 0) Damage(file, record, replacement);
        using StringWriter output = new(), errors = new();
        int exit = await DnsdCommand.InvokeAsync(["zone", "check", Apex, file, "--dnssec"], output, errors);
        Assert.True((exit == 0) == isGood, $"{output}{errors}");
        if (!isGood) Assert.Contains($"{file}:", errors.ToString());
        foreach ((string tool, string[] arguments) in Verifiers)
        {
            if (!Tools.IsInstalled(tool) || tool == unnoticedBy) continue;
            (int code, string text) =
                await RunAsync(tool, [.. arguments.Select(argument => argument == "FILE" ? file : argument)]);
            Assert.True((code == 0) == isGood, $"{tool}: {text}");
        }
    }

    private async Task<string> SignAsync(string signer, string options)
    {
        string source = Path.Combine(_folder, "source.zone"), file = Path.Combine(_folder, "signed.zone");
        File.WriteAllText(source, Source);
        string[] words = options.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (signer == "ldns")
        {
            Assert.SkipUnless(Tools.IsInstalled("ldns-signzone"), "ldns-signzone is not installed");
            string ksk = (await RunAsync("ldns-keygen", "-k", "-a", "ECDSAP256SHA256", Apex)).Text.Trim();
            string zsk = (await RunAsync("ldns-keygen", "-a", "ECDSAP256SHA256", Apex)).Text.Trim();
            (int signed, string output) = await RunAsync("ldns-signzone", [.. words, "-f", file, source, ksk, zsk]);
            Assert.True(signed == 0, output);
            return file;
        }
        Assert.SkipUnless(Tools.IsInstalled("dnssec-signzone"), "dnssec-signzone is not installed");
        await RunAsync("dnssec-keygen", "-q", "-f", "KSK", "-a", "ECDSAP256SHA256", Apex);
        await RunAsync("dnssec-keygen", "-q", "-a", "ECDSAP256SHA256", Apex);
        (int code, string text) =
            await RunAsync("dnssec-signzone", ["-S", "-O", "full", .. words, "-o", Apex, "-f", file, source]);
        Assert.True(code == 0, text);
        return file;
    }

    private static void Damage(string file, string record, string replacement)
    {
        List<string> lines = [.. File.ReadAllLines(file)
            .Select(line => string.Join(' ', line.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries)))];
        int at = lines.FindIndex(line => line.Contains(record));
        Assert.True(at >= 0, string.Join('\n', lines));
        if (replacement.Length == 0) lines.RemoveAt(at);
        else lines[at] = lines[at].Replace(record, replacement);
        File.WriteAllLines(file, lines);
    }

    private async Task<(int Code, string Text)> RunAsync(string tool, params string[] arguments)
    {
        (int code, _, string text) = await Tools.RunAsync(_folder, tool, arguments);
        return (code, text);
    }
}
