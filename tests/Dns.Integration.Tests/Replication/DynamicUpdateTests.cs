using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>The program is updated by other tools, by messages of their clients, and by attackers.</summary>
public sealed class DynamicUpdateTests : IDisposable
{
    private const string Zone = """
        $TTL 300
        @ SOA ns hostmaster 42 3600 600 86400 60
        @ NS ns
        ns A 192.0.2.1
        www A 192.0.2.2
        """;

    private const string Reverse = """
        $TTL 300
        @ SOA ns.z.test. hostmaster.z.test. 42 3600 600 86400 60
        @ NS ns.z.test.
        """;

    private static readonly TsigKey K1 = NewKey("k1.", TsigAlgorithm.HmacSha256, 32),
        K2 = NewKey("k2.", TsigAlgorithm.HmacSha512, 64);

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-update-").FullName;
    private readonly Dictionary<string, string> _secrets = [];
    private DnsdProcess? _dnsd;

    public void Dispose()
    {
        _dnsd?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    public static TheoryData<string, string, bool> Tools => new()
    {
        { "nsupdate", "hmac-sha256", false }, { "nsupdate", "hmac-sha512", true }, { "knsupdate", "hmac-sha256", true },
        { "knsupdate", "hmac-sha512", false },
    };

    [PeersTheory, MemberData(nameof(Tools))]
    public async Task The_tools_of_others_update_a_zone(string tool, string algorithm, bool isTcp)
    {
        IPEndPoint server = await StartAsync();
        TsigKey key = algorithm == "hmac-sha256" ? K1 : K2;
        string script = $"""
            server 127.0.0.1 {server.Port}
            zone z.test.
            prereq nxdomain new.z.test.
            update add new.z.test. 60 A 192.0.2.9
            update add new.z.test. 60 TXT "one" "two"
            update delete www.z.test. A
            send

            """;
        Assert.Equal(0, await RunToolAsync(tool, key, algorithm, isTcp, script));
        Assert.Equal("NOERROR qr aa an=1", await AskAsync(server, "new.z.test A"));
        Assert.Equal("NXDOMAIN qr aa an=0", await AskAsync(server, "www.z.test A"));
        // The prerequisite does not hold any more.
        Assert.NotEqual(0, await RunToolAsync(tool, key, algorithm, isTcp, script));
        await _dnsd!.WaitForLineAsync($"key {key.Name}: records added 3, removed 2, serial 43");
        Assert.Equal(Zone, await File.ReadAllTextAsync(Path.Combine(_folder, "z.zone")));
    }

    /// <summary>
    /// What external-dns sends: it deletes and adds RRsets with its owner's TXT, in one message, without prerequisites.
    /// </summary>
    [Fact]
    public async Task External_dns_creates_changes_and_deletes_its_names()
    {
        IPEndPoint server = await StartAsync();
        await DoAsync(server, K1, "z.test",
            "add app 300 A 192.0.2.10", "add a-app 0 TXT \"heritage=external-dns,external-dns/owner=me\"");
        await DoAsync(server, K1, "z.test",
            "delete app A 192.0.2.10", "add app 300 A 192.0.2.11", "add app 300 A 192.0.2.12",
            "delete a-app TXT \"heritage=external-dns,external-dns/owner=me\"",
            "add a-app 0 TXT \"heritage=external-dns,external-dns/owner=me\"");
        Assert.Equal("NOERROR qr aa an=2", await AskAsync(server, "app.z.test A"));
        await DoAsync(server, K1, "z.test",
            "delete app A 192.0.2.11", "delete app A 192.0.2.12",
            "delete a-app TXT \"heritage=external-dns,external-dns/owner=me\"");
        Assert.Equal("NXDOMAIN qr aa an=0", await AskAsync(server, "app.z.test A"));
    }

    /// <summary>
    /// What lego and cert-manager send: a TXT is added beside others of the name, and deleted by its value.
    /// </summary>
    [Fact]
    public async Task Solvers_of_acme_put_their_challenges_and_take_them_away()
    {
        IPEndPoint server = await StartAsync();
        await DoAsync(server, K1, "z.test", "add _acme-challenge.www 60 TXT \"first\"");
        await DoAsync(server, K1, "z.test", "add _acme-challenge.www 60 TXT \"second\"");
        Assert.Equal("NOERROR qr aa an=2", await AskAsync(server, "_acme-challenge.www.z.test TXT"));
        await DoAsync(server, K1, "z.test", "delete _acme-challenge.www TXT \"first\"");
        Assert.Equal("NOERROR qr aa an=1", await AskAsync(server, "_acme-challenge.www.z.test TXT"));
        // lego of old replaces the whole RRset.
        await DoAsync(server, K1, "z.test", "delete _acme-challenge.www TXT",
            "add _acme-challenge.www 120 TXT \"third\"");
        await DoAsync(server, K1, "z.test", "delete _acme-challenge.www TXT \"third\"");
        Assert.Equal("NXDOMAIN qr aa an=0", await AskAsync(server, "_acme-challenge.www.z.test TXT"));
    }

    /// <summary>
    /// What Kea's DDNS sends (RFC 4703): names are taken with a DHCID, changed by who has it, and given back.
    /// </summary>
    [Fact]
    public async Task A_DHCP_server_takes_a_name_and_gives_it_back()
    {
        const string Dhcid = "DHCID AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=";
        const string Other = "DHCID AAABxLmlskllE0MVjd57zHcWmEH3pCQ6VytcKD//7es/deY=";
        IPEndPoint server = await StartAsync();
        await DoAsync(server, K1, "z.test", "nxdomain pc", "add pc 1200 A 192.0.2.20", $"add pc 1200 {Dhcid}");
        // Another client finds the name taken, and it is not its own.
        Assert.Equal(Rcode.YXDomain,
            await SendAsync(server, K1, "z.test", "nxdomain pc", "add pc 1200 A 192.0.2.21", $"add pc 1200 {Other}"));
        Assert.Equal(Rcode.NXRRSet, await SendAsync(server, K1, "z.test",
            "yxdomain pc", $"yxrrset pc {Other}", "delete pc A", "add pc 1200 A 192.0.2.21"));
        // The same one gets another address.
        await DoAsync(server, K1, "z.test", "yxdomain pc", $"yxrrset pc {Dhcid}", "delete pc A",
            "add pc 1200 A 192.0.2.22");
        await DoAsync(server, K1, "2.0.192.in-addr.arpa",
            "delete 22 PTR", "delete 22 DHCID", "add 22 1200 PTR pc.z.test.", $"add 22 1200 {Dhcid}");
        Assert.Equal("NOERROR qr aa an=1", await AskAsync(server, "22.2.0.192.in-addr.arpa PTR"));
        // The lease ends: the address, then the name if nothing else is there, then the reverse name.
        await DoAsync(server, K1, "z.test", $"yxrrset pc {Dhcid}", "delete pc A 192.0.2.22");
        await DoAsync(server, K1, "z.test", $"yxrrset pc {Dhcid}", "nxrrset pc A", "nxrrset pc AAAA", "delete pc");
        await DoAsync(server, K1, "2.0.192.in-addr.arpa", "yxrrset 22 PTR pc.z.test.", "delete 22");
        Assert.Equal("NXDOMAIN qr aa an=0", await AskAsync(server, "pc.z.test A"));
        Assert.Equal("NXDOMAIN qr aa an=0", await AskAsync(server, "22.2.0.192.in-addr.arpa PTR"));
    }

    [Fact]
    public async Task A_server_that_is_killed_loses_nothing_that_it_has_acknowledged()
    {
        IPEndPoint server = await StartAsync();
        List<string> acknowledged = [];
        for (int round = 0; round < 3; round++)
        {
            Task[] clients = [.. Enumerable.Range(0, 4)
                .Select(client => UpdateUntilKilledAsync(server, $"r{round}-c{client}", acknowledged))];
            int target = 30 * (round + 1);
            Assert.True(SpinWait.SpinUntil(() => Count(acknowledged) >= target, TimeSpan.FromMinutes(2)));
            _dnsd!.Dispose();
            await Task.WhenAll(clients).WaitAsync(TimeSpan.FromMinutes(1));
            server = await RunAsync();
            foreach (string name in acknowledged)
                Assert.Equal("NOERROR qr aa an=1", await AskAsync(server, $"{name}.z.test A"));
        }
    }

    [Fact]
    public async Task Those_who_may_not_change_nothing_and_hold_up_nobody()
    {
        IPEndPoint server = await StartAsync();
        TsigKey forged = NewKey("k1.", TsigAlgorithm.HmacSha256, 32, isKnown: false);
        using UdpClient flood = new();
        flood.Connect(server);
        byte[] unsigned = UpdateText.Message("z.test", "delete www", "add evil 60 A 192.0.2.66");
        byte[] wrong = UpdateText.Signed(unsigned, forged, DateTimeOffset.UtcNow.ToUnixTimeSeconds(), out _);
        for (int i = 0; i < 2000; i++) await flood.SendAsync(i % 2 == 0 ? unsigned : wrong);
        for (int length = 12; length < unsigned.Length; length++) await flood.SendAsync(unsigned.AsMemory(0, length));
        // A key for TXT of one name alone does nothing else, and not even a part of it.
        Assert.Equal(Rcode.Refused,
            await SendAsync(server, K2, "y.test", "add _acme-challenge 60 TXT \"x\"", "delete www"));
        Assert.Equal(Rcode.Refused, await SendAsync(server, K2, "y.test", "add www 60 A 192.0.2.66"));
        Assert.Equal(Rcode.NotAuth, await SendAsync(server, forged, "z.test", "delete www"));
        await DoAsync(server, K2, "y.test", "add _acme-challenge 60 TXT \"x\"");
        await DoAsync(server, K1, "z.test", "add good 60 A 192.0.2.9");
        Assert.Equal("NOERROR qr aa an=1", await AskAsync(server, "www.z.test A"));
        Assert.Equal("NXDOMAIN qr aa an=0", await AskAsync(server, "evil.z.test A"));
        // Refusals do not fill the log, which may come later than the answers.
        await _dnsd!.WaitForLineAsync("was refused");
        Assert.InRange(_dnsd.Lines.Count(line => line.Contains("was refused")), 1, 20);
    }

    [Fact]
    public async Task What_was_updated_is_shown_written_out_and_edited_by_commands()
    {
        IPEndPoint server = await StartAsync();
        string file = Path.Combine(_folder, "z.zone");
        await DoAsync(server, K1, "z.test", "add new 60 A 192.0.2.9");
        Assert.Contains("serial 42 -> 43", await CommandAsync("zone", "journal", "z.test"));
        Assert.Contains("+ new.z.test. 60 IN A 192.0.2.9", await CommandAsync("zone", "journal", "z.test"));
        string status = await CommandAsync("zone", "status", "z.test", "--json");
        Assert.Contains("\"journalChanges\": 1", status);
        Assert.Matches("\"allowUpdate\": \\[\\s+\"key:k1[.]", status);
        // A file that is edited now is in conflict, and the served version stays.
        await ReplaceAsync(file, Zone.Replace(" 42 ", " 50 "));
        await _dnsd!.ReloadAsync();
        await _dnsd.WaitForLineAsync("has been edited: it has serial 50");
        Assert.Equal("NOERROR qr aa an=1", await AskAsync(server, "new.z.test A"));
        Assert.Contains("conflict", await CommandAsync("zone", "status", "z.test"));
        Assert.Matches("z.test. with serial 43 is in .*z.zone, the edited file in .*z.zone.edited",
            await CommandAsync("zone", "sync", "z.test"));
        Assert.Contains("new.z.test. 60 IN A 192.0.2.9", await File.ReadAllTextAsync(file));
        Assert.Contains(" 50 ", await File.ReadAllTextAsync(file + ".edited"));
        // The next one keeps it.
        await DoAsync(server, K1, "z.test", "add next 60 A 192.0.2.9");
        Assert.Matches("with serial 44 is in .*z.zone, the file from before in .*z.zone.bak",
            await CommandAsync("zone", "sync", "z.test"));
        Assert.Contains(" 50 ", await File.ReadAllTextAsync(file + ".edited"));
        Assert.Contains("is empty", await CommandAsync("zone", "journal", "z.test"));
        await CommandAsync("zone", "freeze", "z.test");
        Assert.Equal(Rcode.Refused, await SendAsync(server, K1, "z.test", "add more 60 A 192.0.2.9"));
        await ReplaceAsync(file,
            (await File.ReadAllTextAsync(file)).Replace(" 44 ", " 60 ") + "edited.z.test. 60 A 192.0.2.8\n");
        Assert.Contains("serial 60", await CommandAsync("zone", "thaw", "z.test"));
        Assert.Equal("NOERROR qr aa an=1", await AskAsync(server, "edited.z.test A"));
        await DoAsync(server, K1, "z.test", "add more 60 A 192.0.2.9");
        await _dnsd.WaitForLineAsync("serial 61");
    }

    [Fact]
    public async Task A_file_that_another_zone_is_served_from_is_not_written()
    {
        IPEndPoint server = await StartAsync();
        string file = Path.Combine(_folder, "z.zone"), link = Path.Combine(_folder, "w.zone");
        File.CreateSymbolicLink(link, file);
        await DoAsync(server, K1, "z.test", "add new 60 A 192.0.2.9");
        await CommandAsync(exitCode: 0, "zone", "add", "w.test", link);
        foreach (string command in (string[])["sync", "freeze"])
            Assert.Contains($"zone z.test. is not written: {file} is used by zone w.test. as well: expected a file of "
                + "its own", await CommandAsync(exitCode: 1, "zone", command, "z.test"));
        Assert.Equal(Zone, await File.ReadAllTextAsync(file));
        await DoAsync(server, K1, "z.test", "add more 60 A 192.0.2.9");
        await CommandAsync(exitCode: 0, "zone", "remove", "w.test");
        Assert.Contains("with serial 44", await CommandAsync(exitCode: 0, "zone", "sync", "z.test"));
    }

    [Fact]
    public async Task A_reload_fails_and_says_what_to_do_where_a_file_conflicts_with_updates()
    {
        IPEndPoint server = await StartAsync();
        string file = Path.Combine(_folder, "z.zone");
        await DoAsync(server, K1, "z.test", "add new 60 A 192.0.2.9");
        await DoAsync(server, K1, "z.test", "add more 60 A 192.0.2.9");
        // The file that the updates apply to is no conflict.
        Assert.DoesNotContain("edited", await CommandAsync("zone", "reload", "z.test"));
        await ReplaceAsync(file, Zone.Replace(" 42 ", " 43 "));
        foreach (string[] words in (string[][])[["reload", "--dry-run"], ["reload"], ["zone", "reload", "z.test"]])
        {
            string text = await CommandAsync(exitCode: 1, words);
            Assert.Contains("z.zone has been edited: it has serial 43", text);
            Assert.Contains("dnsd zone thaw z.test.", text);
            Assert.Contains("dnsd zone sync z.test.", text);
        }
        Assert.Contains("warning: serial 43 is not above 44", await CommandAsync("zone", "thaw", "z.test"));
        Assert.Equal("NXDOMAIN qr aa an=0", await AskAsync(server, "new.z.test A"));
        await CommandAsync("zone", "freeze", "z.test");
        await ReplaceAsync(file, Zone.Replace(" 42 ", " 44 "));
        Assert.DoesNotContain("warning", await CommandAsync("zone", "thaw", "z.test"));
        await CommandAsync(exitCode: 0, "reload");
        // Also where the edited file has been noticed and read before.
        await CommandAsync("zone", "freeze", "z.test");
        await ReplaceAsync(file, Zone.Replace(" 42 ", " 44 ") + "\nedited.z.test. 60 A 192.0.2.8\n");
        await CommandAsync(exitCode: 0, "reload");
        Assert.Equal("NOERROR qr aa an=1", await AskAsync(server, "edited.z.test A"));
        Assert.Contains("warning: serial 44 is not above 44", await CommandAsync("zone", "thaw", "z.test"));
        await CommandAsync("zone", "freeze", "z.test");
        Assert.DoesNotContain("warning", await CommandAsync("zone", "thaw", "z.test"));
    }

    [Fact]
    public async Task A_removed_zone_whose_file_was_replaced_can_be_added_with_either_remedy()
    {
        IPEndPoint server = await StartAsync();
        string file = Path.Combine(_folder, "z.zone");
        await DoAsync(server, K1, "z.test", "add new 60 A 192.0.2.9");
        await CommandAsync(exitCode: 0, "zone", "remove", "z.test");
        await ReplaceAsync(file, Zone.Replace(" 42 ", " 50 "));
        string text = await CommandAsync(exitCode: 1, "zone", "add", "z.test", file);
        Assert.Contains("put the other version of the file back, or move the journal away", text);
        await ReplaceAsync(file, Zone);
        await CommandAsync(exitCode: 0, "zone", "add", "z.test", file);
        Assert.Equal("NOERROR qr aa an=1", await AskAsync(server, "new.z.test A"));
        await CommandAsync(exitCode: 0, "zone", "remove", "z.test");
        await ReplaceAsync(file, Zone.Replace(" 42 ", " 50 "));
        await CommandAsync(exitCode: 1, "zone", "add", "z.test", file);
        string journal = Directory.GetFiles(_folder, "z.test.journal", SearchOption.AllDirectories).Single();
        File.Move(journal, journal + ".away");
        await CommandAsync(exitCode: 0, "zone", "add", "z.test", file);
        Assert.Equal("NXDOMAIN qr aa an=0", await AskAsync(server, "new.z.test A"));
    }

    private static TsigKey NewKey(string name, TsigAlgorithm algorithm, int octets, bool isKnown = true) =>
        new(DomainName.Parse(name), algorithm,
            isKnown ? SecretOf(name, octets) : RandomNumberGenerator.GetBytes(octets));

    private static byte[] SecretOf(string name, int octets) =>
        [.. Enumerable.Range(0, octets).Select(i => (byte)(i * 7 + name[1]))];

    private async Task<IPEndPoint> StartAsync()
    {
        foreach (string name in (string[])["z", "y"])
            await File.WriteAllTextAsync(Path.Combine(_folder, name + ".zone"), Zone);
        await File.WriteAllTextAsync(Path.Combine(_folder, "r.zone"), Reverse);
        _secrets["k1."] = Convert.ToBase64String(SecretOf("k1.", 32));
        _secrets["k2."] = Convert.ToBase64String(SecretOf("k2.", 64));
        await File.WriteAllTextAsync(Path.Combine(_folder, "dnsd.json"), $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "Reload": { "Watch": false },
                "TsigKeys": [ { "Name": "k1.", "Secret": "{{_secrets["k1."]}}" },
                    { "Name": "k2.", "Algorithm": "hmac-sha512", "Secret": "{{_secrets["k2."]}}" } ],
                "AllowUpdate": [ "key:k1.", "key:k2." ],
                "Zones": [ { "Name": "z.test", "File": "z.zone" }, { "Name": "2.0.192.in-addr.arpa", "File": "r.zone" },
                    { "Name": "y.test", "File": "y.zone",
                        "AllowUpdate": [ { "From": "key:k2.", "Names": [ "_acme-challenge.y.test" ], "Types": [ "TXT" ] } ] } ] } }
            """);
        return await RunAsync();
    }

    private async Task<IPEndPoint> RunAsync()
    {
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        return await _dnsd.WaitUntilLoadedAsync();
    }

    private async Task UpdateUntilKilledAsync(IPEndPoint server, string prefix, List<string> acknowledged)
    {
        try
        {
            for (int i = 0; i < 10_000; i++)
            {
                string name = $"{prefix}-{i}";
                if (await SendAsync(server, K1, "z.test", $"add {name} 60 A 192.0.2.9") != Rcode.NoError) continue;
                lock (acknowledged) acknowledged.Add(name);
            }
        }
        catch (Exception error) when (error is IOException or SocketException)
        {
            // It was killed.
        }
    }

    private static int Count(List<string> list)
    {
        lock (list) return list.Count;
    }

    private static async Task DoAsync(IPEndPoint server, TsigKey key, string zone, params string[] lines) =>
        Assert.Equal(Rcode.NoError, await SendAsync(server, key, zone, lines));

    /// <summary>Sends a signed update over TCP, and verifies the answer.</summary>
    private static async Task<Rcode> SendAsync(IPEndPoint server, TsigKey key, string zone, params string[] lines)
    {
        byte[] message = UpdateText.Signed(
            UpdateText.Message(zone, lines), key, DateTimeOffset.UtcNow.ToUnixTimeSeconds(), out TsigChain chain);
        await using NetworkStream stream = await Client.ConnectAsync(server);
        await stream.WriteAsync((byte[])[(byte)(message.Length >> 8), (byte)message.Length, .. message]);
        Reply reply = await Client.ReceiveAsync(stream);
        if (reply.Rcode != Rcode.NotAuth)
            Assert.Equal(TsigVerdict.Good,
                chain.Next(reply.Octets, DateTimeOffset.UtcNow.ToUnixTimeSeconds(), out _, out _));
        return reply.Rcode;
    }

    private static async Task<string> AskAsync(IPEndPoint server, string question)
    {
        Reply reply = await Client.AskUdpAsync(server, question);
        return $"{RcodeText.Format(reply.Rcode)} qr{((reply.Flags & 0x0400) != 0 ? " aa" : "")} " +
            $"an={reply.Answer.Count}";
    }

    private async Task<int> RunToolAsync(string tool, TsigKey key, string algorithm, bool isTcp, string script)
    {
        List<string> arguments = ["-y", $"{algorithm}:{key.Name}:{_secrets[key.Name.ToString()]}"];
        if (isTcp) arguments.Add("-v");
        using Process process = Process.Start(new ProcessStartInfo(tool, arguments)
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        await process.StandardInput.WriteAsync(script);
        process.StandardInput.Close();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0 && (await errors).Length > 0 ? -1 : process.ExitCode;
    }

    /// <summary>Replaces a file in one step, so that no half of it is read.</summary>
    private static async Task ReplaceAsync(string file, string text)
    {
        await File.WriteAllTextAsync(file + ".new", text);
        File.Move(file + ".new", file, overwrite: true);
    }

    private Task<string> CommandAsync(params string[] words) => CommandAsync(exitCode: null, words);

    private async Task<string> CommandAsync(int? exitCode, params string[] words)
    {
        string socket = (await _dnsd!.WaitForLineAsync("Control socket ")).Split(' ')[^1];
        using DnsdProcess command = DnsdProcess.Start(_folder, [.. words, "--socket", socket]);
        int code = await command.WaitForExitAsync();
        string text = string.Join('\n', command.Lines);
        if (exitCode is not null) Assert.True(code == exitCode, $"exit code {code}: {text}");
        return text;
    }
}
