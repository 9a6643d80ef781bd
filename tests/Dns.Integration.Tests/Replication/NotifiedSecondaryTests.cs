using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>
/// The program as a primary whose zone changes: other servers are notified, and transfer the changes.
/// </summary>
public sealed class NotifiedSecondaryTests : IDisposable
{
    private const string Secret = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=";
    private const int FirstSerial = 100;
    private const int Changes = 60;

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-notify-").FullName;
    private DnsdProcess? _dnsd;

    public void Dispose()
    {
        _dnsd?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    public static TheoryData<string, bool> Secondaries => OutgoingTransferTests.Secondaries;

    [PeersTheory, MemberData(nameof(Secondaries))]
    public async Task Another_server_follows_many_small_changes_in_a_row(string server, bool isSigned)
    {
        PowerDnsKind.SkipIfMissing(server);
        await WriteAsync(FirstSerial);
        WriteSettings(isSigned, notify: null);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        IPEndPoint ours = await _dnsd.WaitUntilLoadedAsync();
        using PeerServer peer = new(SecondaryKind.Of(server, ours.Port, isSigned ? Secret : null), _folder, ["z.test"]);
        WriteSettings(isSigned, notify: peer.Port);
        await _dnsd.ReloadAsync();
        await _dnsd.WaitForLineAsync("Dns:Notify has changed");

        IPEndPoint theirs = new(IPAddress.Loopback, peer.Port);
        // PowerDNS handles notifications once a second.
        int changes = server == "pdns" ? 10 : Changes;
        for (int serial = FirstSerial + 1; serial <= FirstSerial + changes; serial++)
        {
            await WriteAsync(serial);
            await _dnsd.ReloadAsync();
            await WaitForSerialAsync(theirs, serial);
        }

        // A process of NSD that answered with the version before may still take the transfer.
        IReadOnlyList<string> expected = await ReadAsync(ours), found = await ReadAsync(theirs);
        using CancellationTokenSource patience = new(TimeSpan.FromMinutes(1));
        while (!found.SequenceEqual(expected) && !patience.IsCancellationRequested) found = await ReadAsync(theirs);
        Assert.Equal(expected, found);
        // The log may come later than the answer.
        int whole = 0;
        await _dnsd.WaitForLineAsync(line => IsOfZone(line) && line.Contains("AXFR") && ++whole == 2, "a second AXFR");
        string[] sent = [.. _dnsd.Lines.Where(IsOfZone)];
        // Theirs of the first version and ours of the last are whole; in between only changes go.
        Assert.Equal(2, sent.Count(line => line.Contains("AXFR")));
        Assert.InRange(sent.Count(line => line.Contains(" IXFR of")), changes / 2, changes);
        Assert.Equal(isSigned, sent[0].Contains(" key:k1."));

        static bool IsOfZone(string line) =>
            line.Contains("FR of z.test. to ") || line.Contains("AXFR for IXFR of z.test.");
    }

    [PeersTheory, InlineData("knot"), InlineData("nsd"), InlineData("bind"), InlineData("pdns")]
    public async Task A_command_notifies_at_once(string server)
    {
        PowerDnsKind.SkipIfMissing(server);
        await WriteAsync(FirstSerial);
        WriteSettings(isSigned: false, notify: null);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        IPEndPoint ours = await _dnsd.WaitUntilLoadedAsync();
        Assert.Contains("zone z.test. has no servers to notify", await CommandAsync(isGood: false));
        using PeerServer peer = new(SecondaryKind.Of(server, ours.Port, null), _folder, ["z.test"]);
        // Nobody is notified of this change: only the command does that.
        await WriteAsync(FirstSerial + 1);
        await _dnsd.ReloadAsync();
        await _dnsd.WaitForLineAsync($"serial {FirstSerial + 1}");
        WriteSettings(isSigned: false, notify: peer.Port);
        await _dnsd.ReloadAsync();
        await _dnsd.WaitForLineAsync("Dns:Notify has changed");
        Assert.Contains("notifying 1 server", await CommandAsync(isGood: true));
        await WaitForSerialAsync(new IPEndPoint(IPAddress.Loopback, peer.Port), FirstSerial + 1);
    }

    private async Task<string> CommandAsync(bool isGood)
    {
        string socket = (await _dnsd!.WaitForLineAsync("Control socket ")).Split(' ')[^1];
        StringWriter output = new(), errors = new();
        Assert.Equal(isGood ? 0 : 1,
            await DnsdCommand.InvokeAsync(["zone", "notify", "z.test", "--socket", socket], output, errors));
        return output.ToString() + errors;
    }

    /// <summary>Writes a version: two records of it are in no other.</summary>
    private async Task WriteAsync(int serial)
    {
        string written = Path.Combine(_folder, "z.zone.new");
        await File.WriteAllTextAsync(written, $"""
            $TTL 300
            @ SOA ns hostmaster {serial} 3600 600 86400 60
            @ NS ns
            ns A 192.0.2.1
            changing {serial} A 192.0.2.{serial % 200}
            new-{serial} TXT "{serial}"
            New.Mixed-{serial % 7} AAAA 2001:db8::{serial}
            $GENERATE 1-500 host-$ A 192.0.2.9

            """);
        File.Move(written, Path.Combine(_folder, "z.zone"), overwrite: true);
    }

    private void WriteSettings(bool isSigned, int? notify)
    {
        string target = notify is null ? "" : $"\"127.0.0.1:{notify}{(isSigned ? " key:k1." : "")}\"";
        File.WriteAllText(Path.Combine(_folder, "dnsd.json"), $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "TsigKeys": [ { "Name": "k1.", "Secret": "{{Secret}}" } ], "Notify": [ {{target}} ],
                "AllowTransfer": [ "127.0.0.1" ], "Zones": [ { "Name": "z.test", "File": "z.zone" } ] } }
            """);
    }

    private async Task WaitForSerialAsync(IPEndPoint server, int serial)
    {
        await _dnsd!.WaitForLineAsync(line => line.Contains("XFR") && line.Contains($": serial {serial}, "),
            $"a transfer of serial {serial}");
        // It was sent, and soon is served.
        using CancellationTokenSource patience = new(TimeSpan.FromMinutes(3));
        while (true)
        {
            Reply reply = await Client.AskUdpAsync(server, QueryMessage.For("z.test SOA"), isForeign: true);
            if (reply.Answer is [var soa] && soa.ToString().Contains($" {serial} 3600 ")) return;
            patience.Token.ThrowIfCancellationRequested();
        }
    }

    /// <summary>The records that a server gives away, in lower case and sorted.</summary>
    private static async Task<IReadOnlyList<string>> ReadAsync(IPEndPoint server)
    {
        await using NetworkStream stream = await Client.ConnectAsync(server);
        await Client.SendAsync(stream, "z.test AXFR");
        List<string> records = [];
        int soas = 0;
        while (soas < 2)
        {
            Reply reply = await Client.ReceiveAsync(stream, isForeign: true);
            Assert.Equal(Rcode.NoError, reply.Rcode);
            records.AddRange(reply.Answer.Select(record => record.ToString().ToLower(CultureInfo.InvariantCulture)));
            soas += reply.Answer.Count(record => record.Type == RRType.SOA);
        }
        return [.. records.Distinct().Order(StringComparer.Ordinal)];
    }
}
