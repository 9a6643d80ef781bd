using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>The program as a primary: other servers, and tools, get its zones whole.</summary>
public sealed class OutgoingTransferTests : IDisposable
{
    private const string Secret = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=";
    private const string Zone = """
        $TTL 300
        @ SOA ns hostmaster 42 3600 600 86400 60
        @ NS ns
        @ MX 10 Mail
        @ CAA 0 issue "ca.example"
        ns A 192.0.2.1
        ns AAAA 2001:db8::1
        Mail A 192.0.2.2
        _sip._udp SRV 1 2 5060 ns
        deep.ent.name TXT "one" "two"
        * TXT "any"
        alias CNAME ns
        tree DNAME other.example.
        cut NS ns.cut
        ns.cut A 192.0.2.3
        svc HTTPS 1 . alpn=h2
        odd TYPE65280 \# 3 010203
        $GENERATE 1-2000 host-$ A 192.0.2.9
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-transfer-").FullName;
    private DnsdProcess? _dnsd;

    public void Dispose()
    {
        _dnsd?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    public static TheoryData<string, bool> Secondaries => new()
    {
        { "knot", false }, { "knot", true }, { "nsd", false }, { "nsd", true }, { "bind", false }, { "bind", true },
        { "pdns", false }, { "pdns", true },
    };

    [PeersTheory, MemberData(nameof(Secondaries))]
    public async Task Another_server_is_a_secondary(string server, bool isSigned)
    {
        PowerDnsKind.SkipIfMissing(server);
        IPEndPoint ours = await StartAsync(isSigned ? "key:k1." : "127.0.0.1");
        using PeerServer peer = new(SecondaryKind.Of(server, ours.Port, isSigned ? Secret : null), _folder, ["z.test"]);
        IReadOnlyList<string> theirs =
            await TransferWhenLoadedAsync(new IPEndPoint(IPAddress.Loopback, peer.Port), "z.test");
        if (!isSigned) Assert.Equal(await TransferAsync(ours, "z.test"), theirs);
        Assert.Equal(2016, theirs.Count);
    }

    [ToolFact("dig")]
    public async Task Dig_verifies_a_signed_transfer()
    {
        IPEndPoint ours = await StartAsync("key:k1.");
        string output = await RunAsync("dig", "@127.0.0.1", "-p", $"{ours.Port}", "-y", $"hmac-sha256:k1.:{Secret}",
            "z.test", "AXFR");
        Assert.Contains("host-2000.z.test.", output);
        Assert.DoesNotContain("Couldn't verify", output);
        output = await RunAsync("dig", "@127.0.0.1", "-p", $"{ours.Port}", "-y", $"hmac-sha256:k1.:{Secret}",
            "z.test", "IXFR=41");
        Assert.Contains("host-2000.z.test.", output);
        Assert.Contains("Transfer failed", await RunAsync("dig", "@127.0.0.1", "-p", $"{ours.Port}", "z.test", "AXFR"));
        Assert.Contains("AXFR of z.test.", await _dnsd!.WaitForLineAsync(" key:k1.: serial 42, "));
        Assert.Contains("AllowTransfer does not list it", await _dnsd.WaitForLineAsync("No transfer of z.test."));
    }

    [ToolFact("dig")]
    public Task Dig_gets_the_changes_of_a_zone_file() => GetChangesAsync("dig", "+notcp");

    [ToolFact("kdig")]
    public Task Kdig_gets_the_changes_of_a_zone_file() => GetChangesAsync("kdig", "+noidn");

    /// <summary>Changes the zone file twice, and requests the changes with a tool.</summary>
    private async Task GetChangesAsync(string tool, string option)
    {
        IPEndPoint ours = await StartAsync("127.0.0.1");
        for (int serial = 43; serial <= 44; serial++)
        {
            await ReplaceZoneAsync(Zone.Replace(" 42 ", $" {serial} ") + $"\nnew-{serial} A 192.0.2.{serial}\n");
            await _dnsd!.ReloadAsync();
            await _dnsd.WaitForLineAsync($"serial {serial}");
        }
        string output = await RunAsync(tool, "@127.0.0.1", "-p", $"{ours.Port}", option, "z.test", "IXFR=42");
        Assert.Contains("new-44.z.test.", output);
        Assert.DoesNotContain("host-2000", output);
        Assert.DoesNotContain("new-43.z.test.", output);
        output = await RunAsync(tool, "@127.0.0.1", "-p", $"{ours.Port}", "z.test", "IXFR=41");
        Assert.Contains("host-2000", output);
    }

    [ToolFact("dig")]
    public async Task Dig_gets_the_changes_of_a_zone_file_from_before_a_restart()
    {
        await StartAsync("127.0.0.1");
        await ReplaceZoneAsync(Zone.Replace(" 42 ", " 43 ") + "\nnew-43 A 192.0.2.43\n");
        await _dnsd!.ReloadAsync();
        await _dnsd.WaitForLineAsync("serial 43");
        await _dnsd.TerminateAsync();
        await _dnsd.WaitForExitAsync();
        _dnsd.Dispose();
        await ReplaceZoneAsync(Zone.Replace(" 42 ", " 44 ") + "\nnew-44 A 192.0.2.44\n");
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        IPEndPoint ours = await _dnsd.WaitUntilLoadedAsync();
        foreach (int serial in (int[])[42, 43])
        {
            string output =
                await RunAsync("dig", "@127.0.0.1", "-p", $"{ours.Port}", "+notcp", "z.test", $"IXFR={serial}");
            Assert.Contains("new-44.z.test.", output);
            Assert.DoesNotContain("host-2000", output);
        }
    }

    /// <summary>Replaces the zone file in one step, so that no half of it is read.</summary>
    private async Task ReplaceZoneAsync(string text)
    {
        string written = Path.Combine(_folder, "z.zone.new");
        await File.WriteAllTextAsync(written, text);
        File.Move(written, Path.Combine(_folder, "z.zone"), overwrite: true);
    }

    private async Task<IPEndPoint> StartAsync(string allowed)
    {
        await File.WriteAllTextAsync(Path.Combine(_folder, "z.zone"), Zone);
        await File.WriteAllTextAsync(Path.Combine(_folder, "dnsd.json"), $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "TsigKeys": [ { "Name": "k1.", "Secret": "{{Secret}}" } ],
                "Zones": [ { "Name": "z.test", "File": "z.zone", "AllowTransfer": [ "{{allowed}}" ] } ] } }
            """);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        return await _dnsd.WaitUntilLoadedAsync();
    }

    /// <summary>
    /// The records of a zone of a server that may load it still: NSD answers NOTAUTH then, by a process that it
    /// replaces and whose connections end with it.
    /// </summary>
    private static async Task<IReadOnlyList<string>> TransferWhenLoadedAsync(IPEndPoint server, string zone)
    {
        for (long began = Stopwatch.GetTimestamp(); ;)
        {
            try
            {
                if (await TryTransferAsync(server, zone) is { } records) return records;
            }
            catch (Exception error) when (error is IOException or SocketException && IsEarly())
            {
                continue;
            }
            Assert.True(IsEarly(), "NOTAUTH for a minute");

            bool IsEarly() => Stopwatch.GetElapsedTime(began) < TimeSpan.FromMinutes(1);
        }
    }

    /// <summary>The records of a zone, in lower case and sorted; the SOA once.</summary>
    internal static async Task<IReadOnlyList<string>> TransferAsync(IPEndPoint server, string zone)
    {
        IReadOnlyList<string>? records = await TryTransferAsync(server, zone);
        Assert.NotNull(records);
        return records;
    }

    /// <summary>The same; null if the answer is NOTAUTH.</summary>
    private static async Task<IReadOnlyList<string>?> TryTransferAsync(IPEndPoint server, string zone)
    {
        byte[] query = QueryMessage.For(zone + " AXFR").ToOctets();
        await using NetworkStream stream = await Client.ConnectAsync(server);
        await stream.WriteAsync((byte[])[(byte)(query.Length >> 8), (byte)query.Length, .. query]);
        List<string> records = [];
        int soas = 0;
        while (soas < 2)
        {
            Reply reply = await Client.ReceiveAsync(stream, isForeign: true);
            if (reply.Rcode == Rcode.NotAuth) return null;
            Assert.Equal(Rcode.NoError, reply.Rcode);
            records.AddRange(reply.Answer.Select(record => record.ToString().ToLowerInvariant()));
            soas += reply.Answer.Count(record => record.Type == RRType.SOA);
        }
        records.RemoveAt(records.Count - 1);
        return [.. records.Order(StringComparer.Ordinal)];
    }

    private static async Task<string> RunAsync(string program, params string[] arguments)
    {
        using Process process =
            Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return output;
    }
}
