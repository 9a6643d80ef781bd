using System.Diagnostics;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>
/// What <c>dnsd zone sign</c> writes is accepted by the verifiers of others, and other servers load it.
/// </summary>
public sealed class SignedFileTests : IDisposable
{
    private const string Zone = "example.com";

    private const string Text = """
        $TTL 3600
        @ SOA ns1 host 1 7200 3600 1209600 300
        @ NS ns1
        @ NS ns2.sub
        @ MX 10 Mail
        ns1 A 192.0.2.1
        Mail A 192.0.2.2
        mail AAAA 2001:db8::1
        *.w A 192.0.2.3
        *.w TXT "wild"
        a.b.c.d.e TXT "deep"
        sub NS ns2.sub
        ns2.sub A 192.0.2.4
        x.ns2.sub A 192.0.2.7
        sec NS ns1
        sec DS 12345 13 2 0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF
        dn DNAME other.example.
        \000zero A 192.0.2.5
        sp\ ace.\001 A 192.0.2.6
        u 300 URI 1 1 "http://x/"
        _x._tcp SRV 1 1 1 mail
        alias CNAME mail
        t TYPE65280 \# 2 abcd
        ent.insec NS ns1
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("dns-sign").FullName;

    public SignedFileTests() => File.WriteAllText(Path.Combine(_folder, "source"), Text + "\n");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    public static TheoryData<string, string, string> Signings()
    {
        TheoryData<string, string, string> rows = [];
        string[] tools = ["ldns-verify-zone", "dnssec-verify", "kzonecheck"];
        foreach (string tool in tools)
        {
            foreach (string denial in (string[])["--denial=nsec", "--denial=nsec3", "--opt-out"])
                rows.Add(tool, denial, "ecdsap256sha256");
            foreach (string algorithm in (string[])["ecdsap384sha384", "ed25519", "rsasha256", "rsasha512"])
                rows.Add(tool, "--denial=nsec3", algorithm);
        }
        return rows;
    }

    [Theory, MemberData(nameof(Signings))]
    public async Task A_verifier_accepts_what_is_signed_and_signed_again(string tool, string denial, string algorithm)
    {
        SkipWithout(tool);
        string[] options = [denial, "-a", algorithm, "--zonemd"];
        await RunAsync(["zone", "sign", Zone, In("source"), "--keys", In("keys"), "-o", In("signed"), .. options]);
        await VerifyAsync(tool, "signed");
        // One more record, and a serial: the rest keeps its signatures, and the chain is updated.
        File.AppendAllText(In("signed"), "new.name.example.com. 60 IN A 192.0.2.99\n");
        await RunAsync("zone", "sign", Zone, In("signed"), "--keys", In("keys"), "-o", In("again"));
        await VerifyAsync(tool, "again");
    }

    [Theory, InlineData("ldns-verify-zone"), InlineData("dnssec-verify"), InlineData("kzonecheck")]
    public async Task A_verifier_accepts_a_KSK_with_a_ZSK_and_two_algorithms(string tool)
    {
        SkipWithout(tool);
        foreach (string[] options in (string[][])[["--ksk"], ["--zsk"], ["--zsk", "-a", "ed25519"],
            ["--ksk", "-a", "ed25519"]])
            await RunAsync(["keys", "generate", Zone, "--keys", In("keys"), .. options]);
        await RunAsync("zone", "sign", Zone, In("source"), "--keys", In("keys"), "-o", In("signed"), "--denial=nsec3");
        await VerifyAsync(tool, "signed", hasZsk: true);
    }

    [Theory, InlineData("knot", "--denial=nsec"), InlineData("nsd", "--opt-out"), InlineData("bind", "--denial=nsec3")]
    public async Task Another_server_loads_it_and_answers_with_its_signatures(string server, string denial)
    {
        PeerKind kind = PeerKind.All.Single(kind => kind.Name == server);
        Assert.SkipWhen(!File.Exists(kind.Program), $"{kind.Program} is not installed");
        await RunAsync("zone", "sign", Zone, In("source"), "--keys", In("keys"), "-o", In($"{Zone}.zone"), denial);
        using PeerServer peer = new(kind, _folder, [Zone]);
        byte[] answer = peer.AskOverTcp(QueryMessage.For($"x.w.{Zone} TXT").WithEdns(dnssecOk: true).ToOctets());
        Reply reply = Reply.Read(answer, isForeign: true);
        Assert.Contains(reply.Answer, record => record.Type == RRType.RRSIG);
    }

    [ToolFact("dnssec-dsfromkey")]
    public async Task DS_records_are_those_that_BIND_makes_of_the_key()
    {
        string key = (await RunAsync("keys", "generate", Zone, "--keys", In("keys"))).Trim();
        foreach (string digest in (string[])["sha256", "sha384"])
        {
            string ours = await RunAsync("keys", "ds", Zone, "--keys", In("keys"), "--digest", digest);
            string theirs = await ToolAsync("dnssec-dsfromkey", "-a", digest, key + ".key");
            Assert.Equal(theirs.Trim(), ours.Trim());
        }
    }

    private async Task VerifyAsync(string tool, string file, bool hasZsk = false)
    {
        string[] arguments = tool switch
        {
            "ldns-verify-zone" => ["-ZZ", In(file)],
            "dnssec-verify" => [.. hasZsk ? Array.Empty<string>() : ["-z"], "-q", "-o", Zone, In(file)],
            _ => ["-d", "on", "-o", Zone, In(file)],
        };
        if (hasZsk && tool == "ldns-verify-zone") arguments = [In(file)];
        await ToolAsync(tool, arguments);
    }

    private static async Task<string> RunAsync(params string[] arguments)
    {
        using StringWriter output = new(), errors = new();
        Assert.True(await DnsdCommand.InvokeAsync(arguments, output, errors) == 0, $"{output}{errors}");
        return output.ToString();
    }

    private async Task<string> ToolAsync(string tool, params string[] arguments)
    {
        ProcessStartInfo start = new(tool, arguments)
        {
            WorkingDirectory = _folder, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, $"{tool}: {output}{await errors}");
        return output;
    }

    private static void SkipWithout(string tool)
    {
        string[] folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator);
        Assert.SkipWhen(!folders.Any(folder => File.Exists(Path.Combine(folder, tool))), $"{tool} is not installed");
    }

    private string In(string name) => Path.Combine(_folder, name);
}
