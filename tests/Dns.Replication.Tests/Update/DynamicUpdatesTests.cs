using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Who may update what, and how that is signed: RFC 2136 §3.1, §3.3, RFC 3007, RFC 8945.</summary>
public class DynamicUpdatesTests
{
    private static readonly UpdatePolicy ByKey = new([new UpdateRule(new PeerRule(null, DomainName.Parse("k1.")))]);

    private readonly FaultyFiles _files = new();

    [Fact]
    public async Task A_signed_update_gets_a_signed_answer()
    {
        UpdatedServer server = new(_files, policy: ByKey);
        Reply reply = await SignedAsync(server, UpdatedServer.Key, "add new 60 A 192.0.2.9");
        Assert.Equal(Rcode.NoError, reply.Rcode);
        Assert.True(server.Has("new"));
        Assert.Equal(["applied 192.0.2.7:5353 k1. -1 +2 43"], server.Told);
        // A refusal and a failed prerequisite are signed too.
        Assert.Equal(Rcode.YXDomain,
            (await SignedAsync(server, UpdatedServer.Key, "nxdomain new", "add new 60 A 192.0.2.8")).Rcode);
        server.Policy = UpdatePolicy.Empty;
        Assert.Equal(Rcode.Refused, (await SignedAsync(server, UpdatedServer.Key, "add other 60 A 192.0.2.9")).Rcode);
    }

    [Fact]
    public async Task Who_may_not_is_refused_and_nothing_changes()
    {
        UpdatedServer server = new(_files, policy: ByKey);
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync("add new 60 A 192.0.2.9")).Rcode);
        server.Policy = new UpdatePolicy([new UpdateRule(new PeerRule([IPNetwork.Parse("192.0.2.0/24")], null))]);
        byte[] message = UpdateText.Message("z.test", "add new 60 A 192.0.2.9");
        Assert.Equal(Rcode.Refused, (await server.SendAsync(message, client: "198.51.100.1")).Rcode);
        Assert.Equal((42u, 2), (server.Slot.Zone!.Serial, server.Told.Count));
        Assert.Equal(2, server.Zones.Counters.Of(UpdateResult.Refused));
        Assert.Empty(_files.Paths);
    }

    [Fact]
    public async Task A_zone_of_a_back_end_is_updated_by_its_writer()
    {
        UpdatedServer server = new(_files);
        server.IsOfFile = false;
        server.Writer = new SlotWriter(server.Slot);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add new 60 A 192.0.2.9")).Rcode);
        Assert.True(server.Has("new"));
        Assert.Equal(Rcode.YXDomain, (await server.UpdateAsync("nxdomain new", "add other 60 A 192.0.2.8")).Rcode);
        Assert.Equal(["applied 192.0.2.7:5353  -1 +2 43"], server.Told);
        Assert.Empty(_files.Paths);
        Assert.Equal(0, server.Zones.Waiting);
    }

    [Theory]
    [InlineData(ZoneWriteFaultKind.NotStored, Rcode.ServFail)]
    [InlineData(ZoneWriteFaultKind.OtherSerial, Rcode.Refused)]
    [InlineData(null, Rcode.ServFail)]
    public async Task What_a_back_end_does_not_write_is_refused(ZoneWriteFaultKind? fault, Rcode expected)
    {
        UpdatedServer server = new(_files);
        server.IsOfFile = false;
        server.Writer = new FaultyWriter(fault);
        Assert.Equal(expected, (await server.UpdateAsync("add new 60 A 192.0.2.9")).Rcode);
        Assert.StartsWith(fault is null ? "crash " : "refused ", Assert.Single(server.Told));
        Assert.Equal((42u, 0), (server.Slot.Zone!.Serial, server.Zones.Waiting));
    }

    [Theory]
    [InlineData("add a.dyn 60 A 192.0.2.9", Rcode.NoError)]
    [InlineData("add a.b.dyn 60 TXT x", Rcode.NoError)]
    [InlineData("delete a.dyn A", Rcode.NoError)]
    [InlineData("add dyn 60 A 192.0.2.9", Rcode.Refused)]
    [InlineData("add www 60 A 192.0.2.9", Rcode.Refused)]
    [InlineData("add a.dyn 60 MX 10 www", Rcode.Refused)]
    [InlineData("delete a.dyn", Rcode.Refused)]
    [InlineData("delete ns A", Rcode.Refused)]
    [InlineData("delete @ NS", Rcode.Refused)]
    [InlineData("add @ 300 SOA ns hostmaster 99 3600 600 86400 60", Rcode.Refused)]
    [InlineData("add a.dyn 60 A 192.0.2.9|add www 60 A 192.0.2.9", Rcode.Refused)]
    public async Task A_rule_names_the_names_and_types_that_may_be_changed(string lines, Rcode expected)
    {
        UpdateRule rule = new(new PeerRule([IPNetwork.Parse("192.0.2.0/24")], null))
        {
            Names = [DomainName.Parse("*.dyn.z.test")], Types = [RRType.A, RRType.TXT],
        };
        UpdatedServer server = new(_files, policy: new UpdatePolicy([rule]));
        Assert.Equal(expected, (await server.UpdateAsync(lines.Split('|'))).Rcode);
        if (expected == Rcode.Refused) Assert.Equal(42u, server.Slot.Zone!.Serial);
    }

    [Theory]
    [Trait("RFC", "3007-4")]
    [InlineData("add @ 60 RRSIG DNSKEY 13 2 60 20301205122759 20261123015209 1 @ AAAA")]
    [InlineData("delete @ RRSIG")]
    [InlineData("delete ns RRSIG A 13 2 60 20301205122759 20261123015209 1 @ AAAA")]
    [InlineData("add ns 60 NSEC www A")]
    [InlineData("delete ns NSEC")]
    [InlineData("add 0p9mhaveqvm6t7vbl5lop2u3t2rp3tom 60 NSEC3 1 0 0 - 2t7b4g4vsa5smi47k61mv5bv1a22bojr A")]
    [InlineData("delete 0p9mhaveqvm6t7vbl5lop2u3t2rp3tom NSEC3")]
    [InlineData("add @ 60 NSEC3PARAM 1 0 0 -")]
    [InlineData("delete @ NSEC3PARAM")]
    [InlineData("delete @ ZONEMD")]
    [InlineData("add ns 60 SIG A 13 2 60 20301205122759 20261123015209 1 @ AAAA")]
    [InlineData("delete ns SIG")]
    [InlineData("delete ns NXT")]
    public async Task Of_a_zone_that_is_signed_here_the_records_of_the_signer_are_not_changed(string line)
    {
        UpdatedServer server = new(_files);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add www 60 A 192.0.2.9", line)).Rcode);
        uint serial = server.Slot.SourceZone!.Serial;
        server.IsSigned = true;
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync("add new 60 A 192.0.2.9", line)).Rcode);
        Assert.Equal(serial, server.Slot.SourceZone!.Serial);
        Assert.Contains("not changed by updates of a zone that the server signs", server.Told[^1]);
        // Keys of other signers, and names that are deleted with all their types.
        string key = "add @ 60 DNSKEY 257 3 13 AAAA";
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("delete www", "add sub 60 NS ns", key)).Rcode);
        Assert.Equal(serial + 1, server.Slot.SourceZone!.Serial);
    }

    [Fact]
    public async Task Who_may_not_query_the_zone_learns_nothing_by_prerequisites()
    {
        UpdatedServer server = new(_files);
        server.Slot.AllowQuery = new ClientNetworks([IPNetwork.Parse("198.51.100.0/24")]);
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync("nxdomain ns", "add b 60 A 192.0.2.9")).Rcode);
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync("yxdomain ns", "add b 60 A 192.0.2.9")).Rcode);
        Assert.Contains("it has prerequisites, and AllowQuery does not allow it", server.Told[^1]);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
        server.Slot.AllowQuery = new ClientNetworks([IPNetwork.Parse("192.0.2.0/24")]);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("yxdomain ns", "add c 60 A 192.0.2.9")).Rcode);
    }

    [Fact]
    public async Task What_may_not_be_changed_says_nothing_about_what_is_there()
    {
        UpdateRule rule =
            new(new PeerRule([IPNetwork.Parse("192.0.2.0/24")], null)) { Names = [DomainName.Parse("a.z.test")] };
        UpdatedServer server = new(_files, policy: new UpdatePolicy([rule]));
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync("nxdomain ns", "add b 60 A 192.0.2.9")).Rcode);
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync("yxdomain ns", "add b 60 A 192.0.2.9")).Rcode);
    }

    [Fact]
    public async Task An_update_of_another_zone_or_class_is_not_authoritative()
    {
        UpdatedServer server = new(_files);
        Assert.Equal(Rcode.NotAuth,
            (await server.SendAsync(UpdateText.Message("other.test", "add www 60 A 192.0.2.9"))).Rcode);
        Assert.Equal(Rcode.NotAuth,
            (await server.SendAsync(UpdateText.Message("ns.z.test", "add www 60 A 192.0.2.9"))).Rcode);
        foreach (RRClass rrClass in (RRClass[])[RRClass.CH, RRClass.ANY, RRClass.NONE, 0, (RRClass)65280])
        {
            byte[] message = UpdateText.Message("z.test", "add www 60 A 192.0.2.9");
            (message[22], message[23]) = ((byte)((ushort)rrClass >> 8), (byte)rrClass);
            Assert.Equal(Rcode.NotAuth, (await server.SendAsync(message)).Rcode);
        }
        Assert.Equal(42u, server.Slot.Zone!.Serial);
    }

    [Fact]
    public async Task A_wrong_key_code_or_time_is_not_authoritative()
    {
        UpdatedServer server = new(_files, policy: ByKey);
        TsigKey unknown = new(DomainName.Parse("k9."), TsigAlgorithm.HmacSha256, new byte[32]);
        TsigKey wrong = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, [.. new byte[31], 1]);
        TsigKey other = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha512, new byte[32]);
        Assert.Equal((Rcode.NotAuth, 17), await ErrorAsync(server, unknown));
        Assert.Equal((Rcode.NotAuth, 16), await ErrorAsync(server, wrong));
        Assert.Equal((Rcode.NotAuth, 17), await ErrorAsync(server, other));
        byte[] old = UpdateText.Signed(UpdateText.Message("z.test", "add new 60 A 192.0.2.9"), UpdatedServer.Key,
            Now(server), out _);
        server.Clock.Advance(TimeSpan.FromHours(1));
        Reply reply = await server.SendAsync(old);
        Assert.Equal((Rcode.NotAuth, 18), (reply.Rcode, ErrorOf(reply)));
        Assert.Equal(42u, server.Slot.Zone!.Serial);
        Assert.Equal(4, server.Zones.Counters.Of(UpdateResult.NotAuth));
        Assert.Equal(4, server.Told.Count(line => line.Contains("its TSIG does not verify")));
    }

    [Fact]
    public async Task Without_a_state_directory_updates_are_refused_and_the_log_says_why()
    {
        UpdatedServer server = new(_files, isOfFile: false, directory: null);
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync("add new 60 A 192.0.2.9")).Rcode);
        Assert.Contains("does not come from a file", Assert.Single(server.Told));
        DynamicZones zones = new(null, _ => true, server, server.Clock, new UpdateOptions(), _files);
        Assert.Equal(ZoneWriteFaultKind.NoStateDirectory, zones.FindObstacle(server.Slot));
        Assert.False(zones.Covers(server.Slot));
    }

    [Fact]
    public async Task Refusals_have_some_lines_a_minute_however_many_come()
    {
        UpdatedServer server = new(_files, policy: ByKey);
        for (int i = 0; i < 100; i++) await server.UpdateAsync("add new 60 A 192.0.2.9");
        Assert.Equal(10, server.Told.Count);
        server.Clock.Advance(TimeSpan.FromMinutes(1));
        for (int i = 0; i < 100; i++) await server.UpdateAsync("add new 60 A 192.0.2.9");
        Assert.Equal(20, server.Told.Count);
    }

    [Fact]
    public async Task What_is_no_update_message_is_malformed()
    {
        UpdatedServer server = new(_files);
        byte[] whole = UpdateText.Message("z.test", "add new 60 A 192.0.2.9");
        for (int length = 12; length < whole.Length; length++)
            Assert.Equal(Rcode.FormErr, (await server.SendAsync(whole[..length])).Rcode);
        byte[] many = [.. whole];
        (many[8], many[9]) = (0x27, 0x10);
        Assert.Equal(Rcode.FormErr, (await server.SendAsync(many)).Rcode);
        Assert.Equal(42u, server.Slot.Zone!.Serial);
    }

    [Fact]
    public async Task A_message_as_full_as_it_can_be_is_done_whole()
    {
        UpdatedServer server = new(_files);
        string[] lines = [.. Enumerable.Range(0, 2800).Select(i => $"add n{i} 60 A 192.0.2.9")];
        byte[] message = UpdateText.Message("z.test", lines);
        Assert.InRange(message.Length, 55_000, 65_535);
        Assert.Equal(Rcode.NoError, (await server.SendAsync(message)).Rcode);
        Assert.Equal((43u, true), (server.Slot.Zone!.Serial, server.Has("n2799")));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Edns_is_answered_with_edns(bool isTcp)
    {
        UpdatedServer server = new(_files);
        byte[] message = UpdateText.Message("z.test", "delete new");
        message[11] = 1;
        byte[] opt = WireOctets.Opt(1232, 0, 0);
        Reply reply = await server.SendAsync([.. message, .. opt], isTcp: isTcp);
        Assert.Equal((Rcode.NoError, 1232), (reply.Rcode, reply.Payload));
        Assert.Equal(Rcode.BadVers,
            (await server.SendAsync([.. message, .. WireOctets.Opt(1232, 1, 0)], isTcp: isTcp)).Rcode);
    }

    private static long Now(UpdatedServer server) => server.Clock.GetUtcNow().ToUnixTimeSeconds();

    private static async Task<Reply> SignedAsync(UpdatedServer server, TsigKey key, params string[] lines)
    {
        byte[] message = UpdateText.Signed(UpdateText.Message("z.test", lines), key, Now(server), out TsigChain chain);
        Reply reply = await server.SendAsync(message);
        Assert.Equal(TsigVerdict.Good, chain.Next(reply.Octets, Now(server), out _, out _));
        return reply;
    }

    private static async Task<(Rcode Rcode, int Error)> ErrorAsync(UpdatedServer server, TsigKey key)
    {
        byte[] message = UpdateText.Message("z.test", "add new 60 A 192.0.2.9");
        Reply reply = await server.SendAsync(UpdateText.Signed(message, key, Now(server), out _));
        return (reply.Rcode, ErrorOf(reply));
    }

    /// <summary>The error of the TSIG record: behind algorithm, time, fudge, code and ID.</summary>
    private static int ErrorOf(Reply reply)
    {
        ReadOnlySpan<byte> rdata = reply.Tsig!.Rdata;
        WireName.TryMeasure(rdata, out int algorithm);
        rdata = rdata[(algorithm + 8)..];
        int code = rdata[0] << 8 | rdata[1];
        return rdata[code + 4] << 8 | rdata[code + 5];
    }

    /// <summary>A back end whose store is the slot.</summary>
    private sealed class SlotWriter(ZoneSlot slot) : IZoneWriter
    {
        public Task<IReadOnlyList<ZoneWriteResult>> WriteAsync(
            IReadOnlyList<ZoneWrite> writes, CancellationToken cancellation)
        {
            ZoneWriteStep step = ZoneWriteStep.Evaluate(Assert.Single(writes), slot.Zone, ZoneLimits.Default);
            if (step.IsChanged) slot.Publish(step.Now!, delta: step.Delta);
            return Task.FromResult<IReadOnlyList<ZoneWriteResult>>([step.Result]);
        }
    }

    /// <summary>A back end that is away; null = with a defect.</summary>
    private sealed class FaultyWriter(ZoneWriteFaultKind? fault) : IZoneWriter
    {
        public Task<IReadOnlyList<ZoneWriteResult>> WriteAsync(
            IReadOnlyList<ZoneWrite> writes, CancellationToken cancellation) => fault is { } kind
                ? Task.FromResult(ZoneWriteResult.Refuse(writes, new ZoneWriteFault(kind)))
                : throw new InvalidOperationException();
    }
}
