using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>The program as a secondary of other servers, and of itself.</summary>
public sealed class IncomingTransferTests : IDisposable
{
    // A refresh by NOTIFY begins a second after the one before.
    private const int Changes = 15;
    private const string Secret = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=";
    private const string Zone = """
        $TTL 300
        @ SOA ns hostmaster 100 3600 1 86400 60
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
        cut NS ns.cut
        ns.cut A 192.0.2.3
        odd TYPE65280 \# 3 010203
        """;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-secondary-").FullName;
    private readonly byte[] _buffer = new byte[ushort.MaxValue];
    private DnsdProcess? _dnsd;

    public void Dispose()
    {
        _dnsd?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    public static TheoryData<string, bool> Primaries => new()
    {
        { "knot", false }, { "knot", true }, { "nsd", false }, { "nsd", true }, { "bind", false }, { "bind", true },
        { "dnsd", false }, { "dnsd", true }, { "pdns", false }, { "pdns", true },
    };

    [PeersTheory, MemberData(nameof(Primaries))]
    public Task Many_small_changes_of_a_primary_arrive(string server, bool isSigned)
    {
        PowerDnsKind.SkipIfMissing(server);
        // NSD and PowerDNS answer each IXFR with the whole zone here; PowerDNS takes a process for each change.
        return FollowAsync(server, isSigned, server == "pdns" ? 10 : Changes,
            hasChanges: server is not ("nsd" or "pdns"));
    }

    /// <summary>The zone's refresh takes an hour, and this test sends no NOTIFY.</summary>
    [Theory, InlineData(false), InlineData(true)]
    public async Task PowerDNS_notifies_of_its_changes(bool isSigned)
    {
        PowerDnsKind.SkipIfMissing("pdns");
        await WriteZoneAsync(0);
        using PortLease port = PortLease.Take();
        using PeerServer peer = new(PowerDnsKind.Primary(isSigned ? Secret : null, port.Port), _folder, ["z.test"]);
        IPEndPoint ours =
            await StartAsync(peer.Port, isSigned, port.Port, allowNotify: isSigned ? "key:k1." : "127.0.0.1");
        IPEndPoint theirs = new(IPAddress.Loopback, peer.Port);
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        await AwaitSerialAsync(socket, ours, 100);
        for (int i = 1; i <= 3; i++)
        {
            await WriteZoneAsync(i);
            peer.Reload();
            await AwaitSerialAsync(socket, ours, 100 + i);
            Assert.Equal(await OutgoingTransferTests.TransferAsync(theirs, "z.test"),
                await OutgoingTransferTests.TransferAsync(ours, "z.test"));
        }
    }

    [Fact, Trait("RFC", "1995 §4")]
    public async Task What_has_changed_is_given_on_after_a_restart()
    {
        await WriteZoneAsync(0);
        PeerServer peer = new(PrimaryKind.Of("dnsd", null), _folder, ["z.test"]);
        IPEndPoint ours, theirs = new(IPAddress.Loopback, peer.Port);
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        using (peer)
        {
            ours = await StartAsync(peer.Port, isSigned: false);
            await AwaitSerialAsync(socket, ours, 100);
            for (int i = 1; i <= 3; i++)
            {
                await WriteZoneAsync(i);
                await AwaitSerialAsync(socket, theirs, 100 + i, peer.Reload);
                await NotifyAsync(socket, ours, 100 + i);
                await AwaitSerialAsync(socket, ours, 100 + i);
            }
        }
        _dnsd!.Dispose();
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        ours = await _dnsd.WaitUntilLoadedAsync();
        await AwaitSerialAsync(socket, ours, 103);
        StringWriter output = new();
        Assert.Equal(0, await DnsdCommand.InvokeAsync(["query", "z.test", "IXFR=101", $"@{ours}"], output, output));
        string[] records = [.. output.ToString().Split('\n').Where(line => line.Contains("\tIN\t"))];
        Assert.Equal(4, records.Count(line => line.Contains("\tSOA\t")));
        Assert.InRange(records.Length, 8, 20);
        Assert.Contains("host-1.z.test.\t300\tIN\tA\t192.0.2.8", records);
        Assert.Contains("host-1.z.test.\t300\tIN\tA\t192.0.2.9", records);
    }

    private async Task FollowAsync(string server, bool isSigned, int changes, bool hasChanges)
    {
        await WriteZoneAsync(0);
        PeerServer peer = new(PrimaryKind.Of(server, isSigned ? Secret : null), _folder, ["z.test"]);
        IPEndPoint ours, theirs = new(IPAddress.Loopback, peer.Port);
        using (peer)
        {
            ours = await StartAsync(peer.Port, isSigned);
            using Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            await AwaitSerialAsync(socket, ours, 100);
            for (int i = 1; i <= changes; i++)
            {
                await WriteZoneAsync(i);
                await AwaitSerialAsync(socket, theirs, 100 + i, peer.Reload);
                await NotifyAsync(socket, ours, 100 + i);
                await AwaitSerialAsync(socket, ours, 100 + i);
            }
            IReadOnlyList<string> expected = await OutgoingTransferTests.TransferAsync(theirs, "z.test");
            Assert.Equal(expected, await OutgoingTransferTests.TransferAsync(ours, "z.test"));
            Assert.Contains("\"role\": \"secondary\"", await CommandAsync("refresh"));
            Assert.Contains($"\"serial\": {100 + changes}", await CommandAsync("retransfer"));
            Assert.Equal(expected, await OutgoingTransferTests.TransferAsync(ours, "z.test"));
        }
        int byChanges = _dnsd!.Lines.Count(line => line.Contains("by IXFR"));
        if (hasChanges) Assert.InRange(byChanges, changes / 2, changes);
        await RestartAsync(ours, changes);
    }

    private async Task<string> CommandAsync(string command)
    {
        using DnsdProcess process =
            DnsdProcess.Start(_folder, ["zone", command, "z.test", "--config", "dnsd.json", "--json"]);
        int code = await process.WaitForExitAsync();
        string output = string.Join('\n', process.Lines);
        Assert.True(code == 0, output);
        return output;
    }

    /// <summary>Kills the program, and starts it without its primary.</summary>
    private async Task RestartAsync(IPEndPoint ours, int changes)
    {
        IReadOnlyList<string> before = await OutgoingTransferTests.TransferAsync(ours, "z.test");
        _dnsd!.Dispose();
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        ours = await _dnsd.WaitUntilLoadedAsync();
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        await AwaitSerialAsync(socket, ours, 100 + changes);
        Assert.Equal(before, await OutgoingTransferTests.TransferAsync(ours, "z.test"));
    }

    private async Task<IPEndPoint> StartAsync(int primary, bool isSigned, int port = 0,
        string allowNotify = "127.0.0.1")
    {
        await File.WriteAllTextAsync(Path.Combine(_folder, "dnsd.json"), $$"""
            { "Dns": { "Listen": ["127.0.0.1:{{port}}"], "TsigKeys": [ { "Name": "k1.", "Secret": "{{Secret}}" } ],
                "AllowNotify": ["{{allowNotify}}"],
                "AllowTransfer": ["127.0.0.1"], "StateDirectory": "state", "Control": { "Socket": "control.sock" },
                "Zones": [ { "Name": "z.test", "Type": "secondary", "Primaries": [ "127.0.0.1:{{primary}}{{(isSigned ? " key:k1." : "")}}" ] } ] } }
            """);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        return await _dnsd.WaitUntilLoadedAsync();
    }

    /// <summary>
    /// Writes the zone after a number of changes: names come, go and change. In one step, so that no half of it is
    /// read.
    /// </summary>
    private async Task WriteZoneAsync(int changes)
    {
        IEnumerable<string> hosts = Enumerable.Range(0, 500).Select(i => $"host-{i} A 192.0.2.{(i < changes ? 9 : 8)}");
        IEnumerable<string> come = Enumerable.Range(0, changes).Where(i => i + 10 > changes)
            .Select(i => $"New-{i} 60 TXT \"{i}\"");
        string text =
            Zone.Replace(" 100 3600", $" {100 + changes} 3600") + "\n" + string.Join('\n', hosts.Concat(come)) + "\n";
        string file = Path.Combine(_folder, "z.test.zone"), written = file + ".new";
        await File.WriteAllTextAsync(written, text);
        // Some servers look at the seconds of the last change.
        File.SetLastWriteTimeUtc(written, DateTime.UnixEpoch.AddYears(50).AddMinutes(changes));
        File.Move(written, file, overwrite: true);
    }

    /// <summary>Notifies as servers do, with the serial: not all processes of a primary need have it yet.</summary>
    private static async Task NotifyAsync(Socket socket, IPEndPoint server, int serial)
    {
        byte[] soa = [.. WireOctets.Name("ns.z.test"), .. WireOctets.Name("hostmaster.z.test"), 0, 0, 0, (byte)serial,
            .. new byte[16]];
        await socket.SendToAsync(
            (QueryMessage.For("z.test SOA") with
            {
                Id = 0x4E4F,
                Flags = (int)Opcode.Notify << 11 | MessageHeader.AuthoritativeAnswer,
                Answer = [WireOctets.Record("z.test", RRType.SOA, 1, 60, soa)],
            }).ToOctets(),
            server);
    }

    /// <summary>Asks until the server has a serial.</summary>
    /// <param name="socket">Asks.</param>
    /// <param name="server">The server.</param>
    /// <param name="serial">The serial.</param>
    /// <param name="reload">
    /// Has the server look at its files, again now and then: one that is just reading them may miss it; null = nothing.
    /// </param>
    private async Task AwaitSerialAsync(Socket socket, IPEndPoint server, int serial, Action? reload = null)
    {
        int asked = 0;
        byte[] question = QueryMessage.For("z.test SOA").ToOctets();
        long start = Stopwatch.GetTimestamp();
        string last = "";
        while (Stopwatch.GetElapsedTime(start) < Patience)
        {
            if (asked++ % 100 == 0) reload?.Invoke();
            await socket.SendToAsync(question, server);
            if (!socket.Poll(TimeSpan.FromMilliseconds(100), SelectMode.SelectRead)) continue;
            EndPoint from = new IPEndPoint(IPAddress.Any, 0);
            int octets = socket.ReceiveFrom(_buffer, ref from);
            // A late answer of the other server, or that to a NOTIFY.
            if (!from.Equals(server)) continue;
            Reply reply = Reply.Read(_buffer[..octets], isForeign: true);
            if (reply.Answer is [{ Type: RRType.SOA } soa] && (last = soa.RdataText).Contains($" {serial} ")) return;
            // Another answer than the one awaited: a moment for the server.
            socket.Poll(TimeSpan.FromMilliseconds(20), SelectMode.SelectRead);
        }
        throw new TimeoutException(
            $"{server} has {last}, expected serial {serial}\n{string.Join('\n', _dnsd?.Lines.TakeLast(20) ?? [])}");
    }
}
