using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Other servers are notified of new versions (RFC 1996).</summary>
public sealed class NotifySenderTests : INotifyObserver, IDisposable
{
    private static readonly TsigKey Key = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, new byte[32]);
    private static readonly PeerAddress One = new(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 53));
    private static readonly PeerAddress Two = new(new IPEndPoint(IPAddress.Parse("2001:db8::2"), 5353));
    private static readonly PeerAddress Signed = new(new IPEndPoint(IPAddress.Parse("192.0.2.3"), 53), Key.Name);

    private readonly VirtualClock _clock = new();
    private readonly NotifiedServers _servers = new();
    private readonly ChangingZone _zone = new();
    private readonly List<string> _told = [];
    private readonly NotifySender _sender;
    private PeerAddress[] _targets = [One];

    public NotifySenderTests()
    {
        _sender = Make(NotifySender.DefaultMaxPending);
        _sender.Follow(_zone.Registry);
    }

    public void Dispose() => _sender.Dispose();

    [Fact, Trait("RFC", "1996 §3.6, §3.7")]
    public void A_new_version_is_told_with_its_soa()
    {
        _targets = [One, Two];
        _zone.Publish(7);
        Assert.Equal([One.EndPoint, Two.EndPoint], _servers.Sent.Select(sent => sent.To));
        byte[] message = _servers.Sent[0].Octets;
        Assert.Equal((Opcode.Notify, MessageHeader.AuthoritativeAnswer),
            (OpcodeOf(message), MessageHeader.Flags(message) & 0x87FF));
        Reply notify = Read(message);
        Assert.Equal(WireOctets.Question("z.test", RRType.SOA), notify.Question);
        Assert.StartsWith("z.test. 300 SOA ns.z.test. hostmaster.z.test. 7 ", Assert.Single(notify.Answer).ToString());
    }

    [Fact, Trait("RFC", "9859 §4")]
    public void A_parent_is_told_of_CDS_without_records_and_until_it_answers()
    {
        _targets = [];
        _zone.Publish(7);
        ZoneSlot slot = _zone.Registry.Published.Current.Slots.Single();
        _sender.Send(slot, Two, RRType.CDS);
        _sender.Send(slot, Two, RRType.CDNSKEY);
        _sender.Send(slot, Two, RRType.CDS);
        Assert.Equal(2, _servers.Sent.Count);
        Reply notify = Read(_servers.Sent[0].Octets);
        Assert.Equal(WireOctets.Question("z.test", RRType.CDS), notify.Question);
        Assert.Empty(notify.Answer);
        Assert.Equal(WireOctets.Question("z.test", RRType.CDNSKEY), Read(_servers.Sent[1].Octets).Question);
        _clock.Advance(TimeSpan.FromMinutes(5));
        Assert.Equal((0, 0, 2L), (_sender.Pending, _servers.Open, _sender.Counters.Unanswered));
        int before = _servers.Sent.Count;
        _servers.Answer = (_, query) => NotifiedServers.Accept(query);
        // The state of an unconfigured server is not kept: it gets all tries again.
        _sender.Send(slot, Two, RRType.CDS);
        _servers.Deliver();
        Assert.Equal((0, 1L, before + 1), (_sender.Pending, _sender.Counters.Answered, _servers.Sent.Count));
    }

    [Fact]
    public void Withheld_notifications_are_sent_soon_after_with_the_last_serial()
    {
        _targets = [One];
        _sender.Handover.Withhold(DomainName.Parse("z.test"));
        _zone.Publish(7);
        _zone.Publish(8);
        _clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Empty(_servers.Sent);
        Assert.Equal((1, 0L), (_sender.Pending, _sender.Counters.Unanswered));
        _sender.Handover.Admit(DomainName.Parse("z.test"));
        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Contains(" 8 ", Assert.Single(Read(Assert.Single(_servers.Sent).Octets).Answer).ToString());
    }

    [Fact]
    public void Held_notifications_are_sent_with_the_last_serial_when_released()
    {
        _targets = [];
        _zone.Publish(7);
        _targets = [One];
        Handover handover = new();
        handover.Begin();
        using NotifySender held = Make(NotifySender.DefaultMaxPending, handover);
        ZoneSlot slot = _zone.Registry.Published.Current.Slots.Single();
        Assert.Equal(1, held.Send(slot));
        _clock.Advance(TimeSpan.FromMinutes(5));
        Assert.Equal((0, 1), (_servers.Sent.Count, held.Pending));
        _targets = [];
        _zone.Publish(8);
        _targets = [One];
        handover.Complete();
        Reply notify = Read(Assert.Single(_servers.Sent).Octets);
        Assert.Contains(" 8 ", Assert.Single(notify.Answer).ToString());
        held.Send(slot, Two, RRType.CDS);
        Assert.Equal(2, _servers.Sent.Count);
    }

    [Fact]
    public void An_answer_ends_it_and_closes_the_socket()
    {
        _servers.Answer = (_, query) => NotifiedServers.Accept(query);
        _zone.Publish(1);
        Assert.Equal((1, 1), (_sender.Pending, _servers.Open));
        _servers.Deliver();
        Assert.Equal((0, 0, 1L), (_sender.Pending, _servers.Open, _sender.Counters.Answered));
        _clock.Advance(TimeSpan.FromMinutes(5));
        Assert.Single(_servers.Sent);
    }

    [Fact, Trait("RFC", "1996 §3.6")]
    public void Without_an_answer_it_is_sent_five_times_within_a_minute()
    {
        List<double> times = [];
        _servers.Answer = (_, _) =>
        {
            times.Add(Math.Round(_clock.Elapsed.TotalSeconds));
            return null;
        };
        _zone.Publish(1);
        _clock.Advance(TimeSpan.FromMinutes(5));
        Assert.Equal([0, 2, 6, 14, 30], times);
        Assert.Equal((0, 0, 1L, 5L),
            (_sender.Pending, _servers.Open, _sender.Counters.Unanswered, _sender.Counters.Sent));
        Assert.Equal(["192.0.2.1:53 silent z.test. "], _told);
    }

    [Fact]
    public void A_server_that_was_silent_is_tried_once_until_it_answers()
    {
        _zone.Publish(1);
        _clock.Advance(TimeSpan.FromMinutes(2));
        _zone.Publish(2);
        _clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(6, _servers.Sent.Count);
        _servers.Answer = (_, query) => NotifiedServers.Accept(query);
        _zone.Publish(3);
        _servers.Deliver();
        _servers.Answer = (_, _) => null;
        _zone.Publish(4);
        _clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(12, _servers.Sent.Count);
        Assert.Equal(["192.0.2.1:53 silent z.test. ", "192.0.2.1:53 answers", "192.0.2.1:53 silent z.test. "], _told);
    }

    [Fact]
    public void Changes_while_one_is_under_way_are_told_together_behind_it()
    {
        _servers.Answer = (_, query) => NotifiedServers.Accept(query);
        for (uint serial = 1; serial <= 50; serial++) _zone.Publish(serial);
        Assert.Single(_servers.Sent);
        _servers.Deliver();
        Assert.Equal([1u, 50u], _servers.Sent.Select(sent => SerialOf(sent.Octets)));
        Assert.Equal((0, 2L), (_sender.Pending, _sender.Counters.Answered));
    }

    [Fact]
    public void A_retry_tells_the_version_of_then()
    {
        _zone.Publish(1);
        _zone.Publish(2);
        _clock.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal([1u, 2u], _servers.Sent.Select(sent => SerialOf(sent.Octets)));
        _servers.Answer = (_, query) => NotifiedServers.Accept(query);
        _clock.Advance(TimeSpan.FromSeconds(4));
        _servers.Deliver();
        Assert.Equal((3, 0), (_servers.Sent.Count, _sender.Pending));
    }

    [Fact]
    public void A_version_of_the_same_serial_is_not_told()
    {
        _servers.Answer = (_, query) => NotifiedServers.Accept(query);
        _zone.Publish(1);
        _servers.Deliver();
        _zone.Publish(1, "other A 192.0.2.5");
        Assert.Single(_servers.Sent);
    }

    [Fact]
    public void A_zone_that_is_claimed_with_its_data_is_told_and_a_claim_that_waits_is_not()
    {
        ZoneSlot known = ServedZones.SlotOf("known.test", "@ 60 SOA ns h 3 1 1 1 1\n@ 60 NS ns.other.\n");
        _zone.Registry.Change(_zone, [], [known]);
        Assert.Equal(3u, SerialOf(Assert.Single(_servers.Sent).Octets));
        ChangingZone other = new();
        ZoneSlot waiting = new(known.Name) { Precedence = ZonePrecedence.BuiltIn };
        _zone.Registry.Change(other, [], [waiting]);
        waiting.Publish(ZoneText.Load("known.test", "@ 60 SOA ns h 9 1 1 1 1\n@ 60 NS ns.other.\n"));
        Assert.Single(_servers.Sent);
    }

    [Theory]
    [InlineData("id")]
    [InlineData("question")]
    [InlineData("type")]
    [InlineData("opcode")]
    [InlineData("query")]
    [InlineData("short")]
    [InlineData("no question")]
    public void What_is_no_answer_to_it_is_ignored(string fault)
    {
        _servers.Answer = (_, query) =>
        {
            byte[] answer = NotifiedServers.Accept(query);
            switch (fault)
            {
                case "id": answer[0] ^= 1; break;
                case "question": answer[13] ^= 1; break;
                case "type": answer[^3] = 1; break;
                case "opcode": answer[2] = 0x84; break;
                case "query": answer[2] &= 0x7F; break;
                case "short": return answer[..11];
                default: return [.. answer[..4], 0, 0, 0, 0, 0, 0, 0, 0];
            }
            return answer;
        };
        _zone.Publish(1);
        _servers.Deliver();
        Assert.Equal((1, 0L), (_sender.Pending, _sender.Counters.Answered));
        _clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal((0, 1L), (_sender.Pending, _sender.Counters.Unanswered));
    }

    [Theory]
    [InlineData(5, false)]
    [InlineData(5, true)]
    [InlineData(2, true)]
    [InlineData(4, true)]
    [InlineData(1, true)]
    public void An_error_ends_it_and_is_told(int rcode, bool isHeaderAlone)
    {
        _servers.Answer = (_, query) => isHeaderAlone
            ? [.. NotifiedServers.Accept(query, rcode)[..4], 0, 0, 0, 0, 0, 0, 0, 0]
            : NotifiedServers.Accept(query, rcode);
        _zone.Publish(1);
        _servers.Deliver();
        Assert.Equal((0, 1L, 0L), (_sender.Pending, _sender.Counters.Refused, _sender.Counters.Answered));
        Assert.Equal([$"192.0.2.1:53 {(Rcode)rcode} z.test."], _told);
    }

    [Fact, Trait("RFC", "8945 §5.3")]
    public void With_a_key_it_is_signed_and_a_signed_answer_ends_it()
    {
        _targets = [Signed];
        _sender.Keys = new TsigKeyRing([Key]);
        _servers.Answer = (_, query) => SignedAnswer(query, Key);
        _zone.Publish(1);
        _servers.Deliver();
        Assert.Equal((0, 1L), (_sender.Pending, _sender.Counters.Answered));
    }

    [Fact, Trait("RFC", "8945 §5.3")]
    public void An_answer_without_a_good_signature_is_ignored_and_named_at_the_end()
    {
        _targets = [Signed];
        _sender.Keys = new TsigKeyRing([Key]);
        _servers.Answer = (_, query) => NotifiedServers.Accept(query, (int)Rcode.NotAuth);
        _zone.Publish(1);
        for (int i = 0; i < 70; i++)
        {
            _servers.Deliver();
            _clock.Advance(TimeSpan.FromSeconds(1));
        }
        Assert.Equal((0, 1L, 5L), (_sender.Pending, _sender.Counters.Unanswered, _sender.Counters.Sent));
        Assert.Equal(["192.0.2.3:53 silent z.test. NotAuth"], _told);
    }

    [Fact]
    public void A_forged_answer_costs_one_try_and_the_next_is_answered()
    {
        _targets = [Signed];
        _sender.Keys = new TsigKeyRing([Key]);
        bool isForged = true;
        _servers.Answer = (_, query) =>
        {
            byte[] answer = SignedAnswer(query, isForged ? new TsigKey(Key.Name, Key.Algorithm, [1]) : Key);
            isForged = false;
            return answer;
        };
        _zone.Publish(1);
        _servers.Deliver();
        Assert.Equal(1, _sender.Pending);
        _clock.Advance(TimeSpan.FromSeconds(3));
        _servers.Deliver();
        Assert.Equal((0, 1L), (_sender.Pending, _sender.Counters.Answered));
    }

    [Fact]
    public void A_server_whose_key_is_not_known_is_not_notified()
    {
        _targets = [Signed, One];
        _zone.Publish(1);
        Assert.Equal(One.EndPoint, Assert.Single(_servers.Sent).To);
        Assert.Equal(["192.0.2.3:53 key:k1. has no key"], _told);
        Assert.Equal(1L, _sender.Counters.Unanswered);
    }

    [Fact]
    public void Under_way_to_one_server_are_as_many_as_may_and_the_others_follow()
    {
        ZoneSlot[] slots = Slots(300);
        _servers.Answer = (_, query) => NotifiedServers.Accept(query);
        _zone.Registry.Change(_zone, [], slots);
        Assert.Equal(NotifyTarget.MostUnderWay, _servers.Sent.Count);
        Assert.Equal(300, _sender.Pending);
        _servers.Deliver();
        Assert.Equal((300, 0, 1), (_servers.Sent.Count, _sender.Pending, _servers.MostOpen));
        Assert.Equal(300,
            _servers.Sent.Select(sent => Convert.ToHexString(Read(sent.Octets).Question)).Distinct().Count());
    }

    [Fact]
    public void A_silent_server_takes_no_place_from_another()
    {
        _targets = [One, Two];
        _servers.Answer = (to, query) => to.Equals(One.EndPoint) ? null : NotifiedServers.Accept(query);
        _zone.Registry.Change(_zone, [], Slots(300));
        _servers.Deliver();
        Assert.Equal(300, _servers.Sent.Count(sent => sent.To.Equals(Two.EndPoint)));
        _clock.Advance(TimeSpan.FromMinutes(3));
        Assert.Equal((0, 300L), (_sender.Pending, _sender.Counters.Unanswered));
        // Those under way when the first was given up had had all their tries; of the others each had one.
        Assert.Equal(64 * 5 + 236, _servers.Sent.Count(sent => sent.To.Equals(One.EndPoint)));
    }

    [Fact]
    public void Beyond_what_may_wait_nothing_is_kept()
    {
        using NotifySender small = Make(maxPending: 10);
        foreach (ZoneSlot slot in Slots(15)) small.Send(slot);
        Assert.Equal((10, 5L), (small.Pending, small.Counters.Dropped));
        _clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(0, small.Pending);
    }

    [Fact]
    public void As_many_sockets_are_open_as_may_and_the_other_servers_follow()
    {
        _targets = [.. Enumerable.Range(0, NotifySender.MostSockets + 50).Select(number =>
            new PeerAddress(new IPEndPoint(new IPAddress([10, 0, (byte)(number >> 8), (byte)number]), 53)))];
        _servers.Answer = (_, query) => NotifiedServers.Accept(query);
        _zone.Publish(1);
        Assert.Equal(NotifySender.MostSockets, _servers.Sent.Count);
        _servers.Deliver();
        Assert.Equal(
            (_targets.Length, 0, NotifySender.MostSockets), (_servers.Sent.Count, _sender.Pending, _servers.MostOpen));
    }

    [Fact]
    public void Without_a_socket_it_is_tried_again()
    {
        _servers.IsRefusing = true;
        _zone.Publish(1);
        Assert.Equal((0, 1), (_servers.Sent.Count, _sender.Pending));
        _servers.IsRefusing = false;
        _clock.Advance(TimeSpan.FromSeconds(3));
        Assert.Single(_servers.Sent);
    }

    [Fact]
    public void A_long_name_and_a_long_key_leave_out_the_soa()
    {
        string label = new('x', 63);
        string apex = $"{label}.{label}.test";
        TsigKey longKey =
            new(DomainName.Parse($"{label}.{label}.{label}.{label[..60]}"), TsigAlgorithm.HmacSha512, new byte[64]);
        ZoneSlot slot = ServedZones.SlotOf(
            apex,
            $"@ 60 SOA {label}.{label}.{label}.{label[..59]}. {label}.{label}.{label}.{label[..59]}. 1 1 1 1 1\n@ " +
                $"60 NS ns.other.\n");
        _targets = [Signed with { Key = longKey.Name }];
        _sender.Keys = new TsigKeyRing([longKey]);
        _sender.Send(slot);
        Assert.InRange(Assert.Single(_servers.Sent).Octets.Length, 500, 1232);
    }

    [Fact]
    public void After_the_end_nothing_is_sent()
    {
        _zone.Publish(1);
        _sender.Dispose();
        _zone.Publish(2);
        _clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal((1, 0), (_servers.Sent.Count, _servers.Open));
    }

    void INotifyObserver.OnSilent(PeerAddress target, DomainName zone, Rcode? unproven) =>
        _told.Add($"{target.EndPoint} silent {zone} {unproven}");

    void INotifyObserver.OnAnswering(PeerAddress target) => _told.Add($"{target.EndPoint} answers");

    void INotifyObserver.OnRefused(PeerAddress target, DomainName zone, Rcode rcode) =>
        _told.Add($"{target.EndPoint} {rcode} {zone}");

    void INotifyObserver.OnKeyUnknown(PeerAddress target, DomainName zone) => _told.Add($"{target} has no key");

    private static Opcode OpcodeOf(byte[] message) => MessageHeader.OpcodeOf(MessageHeader.Flags(message));

    /// <summary>Reads a notification as if it were the reply.</summary>
    private static Reply Read(byte[] message) =>
        Reply.Read([.. message[..2], (byte)(message[2] | 0x80), .. message[3..]]);

    private static uint SerialOf(byte[] message) =>
        uint.Parse(Read(message).Answer[0].ToString().Split(' ')[5], System.Globalization.CultureInfo.InvariantCulture);

    private static ZoneSlot[] Slots(int count) =>
        [.. Enumerable.Range(0, count)
            .Select(number => ServedZones.SlotOf($"z{number}.test", "@ 60 SOA ns h 3 1 1 1 1\n@ 60 NS ns.other.\n"))];

    private NotifySender Make(int maxPending, Handover? handover = null) =>
        new(_servers, new MonotonicClock(_clock), _ => _targets)
        {
            MaxPending = maxPending, Observer = this, Schedule = static item => item.Execute(),
            Handover = handover ?? new Handover(),
        };

    private byte[] SignedAnswer(byte[] query, TsigKey key)
    {
        using TsigRequest request =
            TsigRequest.Accept(query, new TsigKeyRing([Key]), _clock.GetUtcNow().ToUnixTimeSeconds());
        Assert.Equal(Key, request.Key);
        byte[] room = new byte[2048];
        byte[] answer = NotifiedServers.Accept(query);
        answer.CopyTo(room, 0);
        if (key == Key) return room[..request.Chain!.Sign(room, answer.Length, _clock.GetUtcNow().ToUnixTimeSeconds())];
        int octets = answer.Length;
        TsigChain.Request(key, room, ref octets, _clock.GetUtcNow().ToUnixTimeSeconds()).Dispose();
        return room[..octets];
    }
}
