using System.Diagnostics;
using System.Net;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>
/// The program signs zones while it serves them: of files, of other servers, with updates, over restarts.
/// </summary>
public sealed class SignedServerTests : IDisposable
{
    private const string Zone = """
        $TTL 300
        @ SOA ns hostmaster 42 3600 600 86400 60
        @ NS ns
        @ MX 10 mail
        ns A 192.0.2.1
        mail A 192.0.2.2
        deep.ent.name TXT "one"
        *.wild TXT "any"
        alias CNAME mail
        tree DNAME other.example.
        cut NS ns.cut
        ns.cut A 192.0.2.3
        safe NS ns.safe
        safe DS 12345 13 2 3AA5AB37EFCE57F737FC1627013FEE07BDF241BD10F3B1964AB55C78E79A304B
        ns.safe A 192.0.2.4
        $GENERATE 1-50 host-$ A 192.0.2.9
        """;

    private static readonly string[] Zones = ["nsec.test", "nsec3.test", "opt-out.test", "rsa.test", "compact.test"];

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-signed-").FullName;
    private readonly List<DnsdProcess> _servers = [];

    public void Dispose()
    {
        _servers.ForEach(server => server.Dispose());
        Directory.Delete(_folder, recursive: true);
    }

    [ToolFact("delv")]
    public async Task A_validator_with_our_keys_takes_every_answer()
    {
        IPEndPoint ours = await StartAsync();
        foreach (string zone in Zones)
        {
            await WriteAnchorAsync(ours, zone);
            foreach (string question in (string[])
                ["@ SOA", "@ MX", "@ TXT", "mail A", "mail AAAA", "nothing A", "a.b.c A", "ent.name A", "name A",
                    "x.wild TXT", "x.wild A", "alias A", "x.y.tree A", "cut DS", "safe DS", "host-7 A", "host-77 A"])
            {
                // In an opt-out span the name might be a delegation: a wildcard answer counts as unsigned (RFC 5155
                // §9.2).
                bool isDoubtful = zone == "opt-out.test" && question == "x.wild TXT";
                Assert.Contains(isDoubtful ? "unsigned answer" : "fully validated",
                    await DelvAsync(ours, zone, question));
            }
        }
    }

    [ToolFact("unbound")]
    public async Task A_resolver_that_validates_takes_compact_denial()
    {
        const string zone = "compact.test";
        IPEndPoint ours = await StartAsync();
        Reply keys = await Client.AskUdpAsync(ours, QueryMessage.For(zone + " DNSKEY").WithEdns());
        string anchor = Path.Combine(_folder, "unbound.anchor");
        await File.WriteAllLinesAsync(anchor,
            keys.Answer.Where(record => (record.Rdata[1] & 1) != 0)
                .Select(record => $"{zone}. IN DNSKEY {record.RdataText}"));
        PeerKind kind =
            new("validator", "/usr/sbin/unbound", file => ["-d", "-p", "-c", file], (own, _, state, _) => $"""
            server:
                interface: 127.0.0.1@{own}
                do-daemonize: no
                username: ""
                chroot: ""
                directory: "{state}"
                use-syslog: no
                module-config: "validator iterator"
                trust-anchor-file: "{anchor}"
                do-not-query-localhost: no
                access-control: 127.0.0.0/8 allow_setrd
                local-zone: "test." nodefault
            remote-control:
                control-enable: no
            stub-zone:
                name: "{zone}"
                stub-addr: 127.0.0.1@{ours.Port}
            """);
        using PeerServer resolver = new(kind, _folder, [zone]);
        foreach (string question in (string[])
            ["@ SOA", "@ MX", "@ TXT", "mail A", "mail AAAA", "nothing A", "a.b.c A", "ent.name A", "name A",
                "x.wild TXT", "x.wild A", "alias A", "cut DS", "safe DS", "host-7 A", "host-77 A", "nothing TXT"])
        {
            string[] words = question.Split(' ');
            QueryMessage query = QueryMessage.For($"{(words[0] == "@" ? "" : words[0] + ".")}{zone} {words[1]}");
            query = query.WithEdns(dnssecOk: true) with { Flags = MessageHeader.RecursionDesired };
            Reply reply = Reply.Read(resolver.AskOverTcp(query.ToOctets()), isForeign: true);
            bool isSecure = (reply.Flags & MessageHeader.AuthenticData) != 0;
            Assert.True(isSecure && reply.Rcode is Rcode.NoError or Rcode.NXDomain, $"{question}\n{reply}");
        }
    }

    [ToolFact("delv")]
    public async Task Changes_validate_as_soon_as_they_are_acknowledged()
    {
        IPEndPoint ours = await StartAsync();
        foreach (string zone in Zones)
        {
            await WriteAnchorAsync(ours, zone);
            // With compact denial a name that does not exist is one without types.
            string missing = zone == "compact.test" ? "ncache nxrrset" : "ncache nxdomain";
            Assert.Contains(missing, await DelvAsync(ours, zone, "new.below A"));
            Assert.Equal(Rcode.NoError, await UpdateAsync(ours, zone, "add new.below 60 A 192.0.2.77"));
            string added = await DelvAsync(ours, zone, "new.below A");
            Assert.Contains("192.0.2.77", added);
            Assert.Contains("fully validated", added);
            Assert.Contains("negative response, fully validated", await DelvAsync(ours, zone, "below A"));
            Assert.Equal(Rcode.NoError, await UpdateAsync(ours, zone, "delete new.below"));
            Assert.Contains("negative response, fully validated", await DelvAsync(ours, zone, "new.below A"));
        }
    }

    [Fact]
    public async Task A_restart_goes_on_with_the_signatures_and_a_crash_with_a_higher_serial()
    {
        IPEndPoint ours = await StartAsync();
        uint serial = await SerialAsync(ours, "nsec.test");
        string signature = await SignatureAsync(ours, "mail.nsec.test");
        await StopAsync();
        ours = await StartAsync(isFirst: false);
        Assert.Equal((serial, signature),
            (await SerialAsync(ours, "nsec.test"), await SignatureAsync(ours, "mail.nsec.test")));
        await _servers[^1].KillAsync();
        ours = await StartAsync(isFirst: false);
        await _servers[^1].WaitForLineAsync("Zone nsec.test. is signed");
        Assert.True(SerialNumber.IsGreater(await SerialAsync(ours, "nsec.test"), serial));
        Assert.Equal(signature, await SignatureAsync(ours, "mail.nsec.test"));
    }

    [Fact]
    public async Task A_file_that_changed_before_a_restart_gives_a_secondary_the_difference()
    {
        IPEndPoint ours = await StartAsync();
        uint serial = await SerialAsync(ours, "nsec.test");
        await StopAsync();
        ours = await StartAsync(isFirst: false, Zone.Replace(" 42 ", " 43 ") + "\nlater A 192.0.2.43\n");
        await _servers[^1].WaitForLineAsync("Zone nsec.test. is signed");
        StringWriter output = new();
        Assert.Equal(0,
            await DnsdCommand.InvokeAsync(["query", "nsec.test", $"IXFR={serial}", $"@{ours}"], output, output));
        Assert.Contains("\nlater.nsec.test.", output.ToString());
        Assert.DoesNotContain("\nmail.nsec.test.", output.ToString());
    }

    public static TheoryData<string, string> Secondaries
    {
        get
        {
            TheoryData<string, string> data = [];
            foreach (string server in (string[])["knot", "nsd", "bind"])
                foreach (string zone in (string[])["nsec.test", "opt-out.test"]) data.Add(server, zone);
            return data;
        }
    }

    [PeersTheory, MemberData(nameof(Secondaries))]
    public async Task Another_server_serves_what_is_signed_here(string server, string zone)
    {
        IPEndPoint ours = await StartAsync();
        using PeerServer peer = new(SecondaryKind.Of(server, ours.Port, null), _folder, [zone]);
        IPEndPoint theirs = new(IPAddress.Loopback, peer.Port);
        Assert.Equal(await OutgoingTransferTests.TransferAsync(ours, zone),
            await OutgoingTransferTests.TransferAsync(theirs, zone));
    }

    [Fact]
    public async Task A_zone_of_another_server_is_signed_on_its_way_out()
    {
        IPEndPoint hidden =
            await StartAsync("hidden", """{ "Name": "z.test", "File": "z.zone", "AllowTransfer": ["127.0.0.1"] }""");
        IPEndPoint signer = await StartAsync(
            "signer", $$"""
            { "Name": "z.test", "Type": "secondary", "Primaries": ["{{hidden}}"], "Dnssec": "nsec3", "AllowTransfer": ["127.0.0.1"] }
            """);
        await _servers[^1].WaitForLineAsync("Zone z.test. is signed");
        IReadOnlyList<string> served = await OutgoingTransferTests.TransferAsync(signer, "z.test");
        Assert.Contains(served, record => record.Contains("nsec3param"));
        string file = Path.Combine(_folder, "hidden", "z.zone");
        await File.WriteAllTextAsync(file + ".new", Zone.Replace(" 42 ", " 43 ") + "\nlater A 192.0.2.43\n");
        File.Move(file + ".new", file, overwrite: true);
        await _servers[0].ReloadAsync();
        await _servers[0].WaitForLineAsync("serial 43");
        // NOTIFY is not configured: the secondary is refreshed by command.
        StringWriter output = new(), errors = new();
        string settings = Path.Combine(_folder, "signer", "dnsd.json");
        int code = await DnsdCommand.InvokeAsync(["zone", "refresh", "z.test", "--config", settings],
            output, errors);
        Assert.Equal((0, ""), (code, errors.ToString()));
        Reply reply = await Client.AskUdpAsync(signer, QueryMessage.For("later.z.test A").WithEdns(dnssecOk: true));
        Assert.Contains(reply.Answer, record => record.Type == RRType.RRSIG);
    }

    [Fact]
    public async Task A_zone_that_is_written_out_is_told_with_the_serial_in_its_file()
    {
        IPEndPoint ours =
            await StartAsync("written", """{ "Name": "rsa.test", "File": "z.zone", "Dnssec": "rsa" }""", isFirst: true);
        await UpdateAsync(ours, "rsa.test", "add new 60 A 192.0.2.77");
        StringWriter output = new(), errors = new();
        Assert.Equal(0, await DnsdCommand.InvokeAsync(
            ["zone", "sync", "rsa.test", "--config", Path.Combine(_folder, "written", "dnsd.json")], output, errors));
        Assert.StartsWith("zone rsa.test. with serial 43 is in ", output.ToString());
        Assert.True(await SerialAsync(ours, "rsa.test") > 43);
    }

    [Fact]
    public async Task A_signed_secondary_with_a_copy_on_disk_starts_with_strict()
    {
        IPEndPoint hidden =
            await StartAsync("hidden", """{ "Name": "z.test", "File": "z.zone", "AllowTransfer": ["127.0.0.1"] }""");
        await StartAsync("signer", $$"""
            { "Name": "z.test", "Type": "secondary", "Primaries": ["{{hidden}}"], "Dnssec": "default" }
            """);
        await _servers[^1].WaitForLineAsync("Zone z.test. is signed");
        await _servers[^1].TerminateAsync();
        Assert.Equal(0, await _servers[^1].WaitForExitAsync());
        string folder = Path.Combine(_folder, "signer");
        foreach (string[] more in (string[][])[["--strict"], []])
        {
            DnsdProcess again = DnsdProcess.Start(folder, ["run", "--config", "dnsd.json", .. more]);
            _servers.Add(again);
            IPEndPoint address = await again.WaitUntilLoadedAsync();
            Assert.Contains(again.Lines, line => line.Contains("D201 Serving 1 zone with "));
            long start = Stopwatch.GetTimestamp();
            while ((await Client.AskUdpAsync(address, "z.test SOA")).Rcode != Rcode.NoError)
                Assert.True(Stopwatch.GetElapsedTime(start) < TimeSpan.FromMinutes(1));
            await again.TerminateAsync();
            Assert.Equal(0, await again.WaitForExitAsync());
            Assert.DoesNotContain(again.Lines, line => line.Contains("D202") || line.Contains("D107"));
        }
    }

    private Task<IPEndPoint> StartAsync(bool isFirst = true, string? text = null) => StartAsync(
        "server", $$"""
        { "Name": "nsec.test", "File": "z.zone", "Dnssec": "default" }, { "Name": "nsec3.test", "File": "z.zone", "Dnssec": "nsec3" },
        { "Name": "opt-out.test", "File": "z.zone", "Dnssec": "opt-out" }, { "Name": "rsa.test", "File": "z.zone", "Dnssec": "rsa" },
        { "Name": "compact.test", "File": "z.zone", "Dnssec": "compact" }
        """, isFirst, text);

    private async Task<IPEndPoint> StartAsync(
        string name, string zones, bool isFirst = true, string? text = null)
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder, name)).FullName;
        await File.WriteAllTextAsync(Path.Combine(folder, "z.zone"), text ?? Zone);
        await File.WriteAllTextAsync(Path.Combine(folder, "dnsd.json"), $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "AllowTransfer": ["127.0.0.1"], "AllowUpdate": ["127.0.0.1"],
                "Control": { "Socket": "{{Path.Combine(folder, "control")}}" },
                "DnssecPolicies": {
                    "nsec3": { "Denial": "nsec3", "Keys": "ksk+zsk" }, "opt-out": { "Denial": "nsec3", "OptOut": true, "Zonemd": true },
                    "compact": { "Denial": "compact", "Keys": "ksk+zsk" },
                    "rsa": { "Algorithm": "rsasha256", "Serial": "unixtime" } },
                "Zones": [ {{zones}} ] } }
            """);
        DnsdProcess server = DnsdProcess.Start(folder, ["run", "--config", "dnsd.json"]);
        _servers.Add(server);
        IPEndPoint address = await server.WaitUntilLoadedAsync();
        if (!isFirst || name == "signer") return address;
        foreach (string zone in Zones)
            if (zones.Contains(zone)) await server.WaitForLineAsync($"Zone {zone}. is signed");
        return address;
    }

    private async Task StopAsync()
    {
        await _servers[^1].TerminateAsync();
        Assert.Equal(0, await _servers[^1].WaitForExitAsync());
    }

    private static async Task<Rcode> UpdateAsync(IPEndPoint server, string zone, string line)
    {
        byte[] update = UpdateText.Message(zone, line);
        await using System.Net.Sockets.NetworkStream stream = await Client.ConnectAsync(server);
        await stream.WriteAsync((byte[])[(byte)(update.Length >> 8), (byte)update.Length, .. update]);
        return (await Client.ReceiveAsync(stream)).Rcode;
    }

    private static async Task<uint> SerialAsync(IPEndPoint server, string zone)
    {
        MessageRecord soa = await AnswerAsync(server, zone + " SOA", RRType.SOA);
        return System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(soa.Rdata.AsSpan(soa.Rdata.Length - 20));
    }

    private static async Task<string> SignatureAsync(IPEndPoint server, string name) =>
        (await AnswerAsync(server, name + " A", RRType.RRSIG)).RdataText;

    /// <summary>The first record of a type in an answer; repeated until the zone is served.</summary>
    private static async Task<MessageRecord> AnswerAsync(IPEndPoint server, string question, RRType type)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (true)
        {
            Reply reply = await Client.AskUdpAsync(server, QueryMessage.For(question).WithEdns(dnssecOk: true));
            if (reply.Answer.FirstOrDefault(record => record.Type == type) is { } found) return found;
            Assert.True(reply.Rcode == Rcode.ServFail && waited.Elapsed < TimeSpan.FromMinutes(1),
                $"{question}: {reply.Rcode}");
        }
    }

    /// <summary>Writes the entry point keys of a zone as trust anchors for delv.</summary>
    private async Task WriteAnchorAsync(IPEndPoint server, string zone)
    {
        Reply reply = await Client.AskUdpAsync(server, QueryMessage.For(zone + " DNSKEY").WithEdns());
        IEnumerable<string> keys =
            from record in reply.Answer
            where (record.Rdata[1] & 1) != 0
            select $"{zone}. static-key {string.Join(' ', record.RdataText.Split(' ')[..3])} " +
                $"\"{record.RdataText.Split(' ', 4)[3]}\";";
        await File.WriteAllTextAsync(Path.Combine(_folder, zone + ".anchor"),
            $"trust-anchors {{ {string.Join('\n', keys)} }};\n");
    }

    private async Task<string> DelvAsync(IPEndPoint server, string zone, string question)
    {
        string[] words = question.Split(' ');
        string name = words[0] == "@" ? zone : $"{words[0]}.{zone}";
        ProcessStartInfo start = new("delv")
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
            ArgumentList =
            {
                "@127.0.0.1", "-p", $"{server.Port}", "-a", Path.Combine(_folder, zone + ".anchor"), $"+root={zone}",
                name, words[1],
            },
        };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return $"{name} {words[1]}\n{output}{await errors}";
    }
}
