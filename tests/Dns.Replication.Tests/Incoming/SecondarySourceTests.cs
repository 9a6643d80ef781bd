using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>A secondary and its primaries, on a virtual clock.</summary>
public sealed class SecondarySourceTests : IDisposable
{
    private const string Text = """
        $TTL 300
        @ SOA ns hostmaster 5 1000 100 5000 60
        @ NS ns
        ns A 192.0.2.1
        www A 192.0.2.2
        $GENERATE 1-60 host-$ A 192.0.2.9
        """;

    private static readonly IPEndPoint First = new(IPAddress.Parse("192.0.2.1"), 53),
        Second = new(IPAddress.Parse("192.0.2.2"), 5353);
    private static readonly IPAddress Ours = IPAddress.Parse("192.0.2.9");
    private static readonly DomainName Name = DomainName.Parse("z.test");

    private readonly VirtualClock _clock = new();
    private readonly SimulatedNetwork _network;
    private readonly SimulatedServer _primary, _ours;
    private readonly RecordingObserver _told = new();
    private readonly FaultyFiles _disk = new();
    private readonly SecondarySource _source;

    public SecondarySourceTests()
    {
        _network = new SimulatedNetwork(_clock);
        _primary = new SimulatedServer(_clock);
        _primary.Publish("z.test", Text);
        _network.Serve(First, _primary.Answer);
        _ours = new SimulatedServer(_clock);
        _source = NewSource();
    }

    public void Dispose() => _source.Dispose();

    private ZoneSlot? Slot => _ours.Published.Current.FindExact(Name);

    [Fact, Trait("RFC", "1034 §4.3.5")]
    public void A_zone_is_transferred_at_the_start_and_refreshed_when_its_soa_says_so()
    {
        Start(First);
        Run(1);
        Assert.Equal((5u, ZoneState.Serving), (Slot!.Zone!.Serial, Slot.State));
        Assert.Equal((null, 5u, false),
            (Assert.Single(_told.Transfers).FromSerial, _told.Transfers[0].ToSerial, _told.Transfers[0].IsIncremental));
        Run(800);
        Assert.Equal(1, _primary.Asked[RRType.SOA]);
        Run(210);
        Assert.Equal((2, 1), (_primary.Asked[RRType.SOA], _primary.Asked[RRType.AXFR]));
        Assert.Equal(1, _source.Counters.UpToDate);
    }

    [Fact, Trait("RFC", "1995 §2")]
    public void A_newer_version_comes_as_differences()
    {
        Start(First);
        Run(1);
        _primary.Change("z.test", delta => delta.Add(WireOctets.Name("new.z.test"), RRType.A, 60, [192, 0, 2, 7]));
        _primary.Change("z.test", delta => delta.Remove(WireOctets.Name("www.z.test"), RRType.A, [192, 0, 2, 2]));
        List<(uint?, uint)> versions = [];
        _ours.Registry.VersionPublished += (_, change) => versions.Add((change.Before?.Serial, change.Now.Serial));
        Run(1000);
        Assert.Equal(7u, Slot!.Zone!.Serial);
        Assert.Equal((true, 5u, 7u),
            (_told.Transfers[1].IsIncremental, _told.Transfers[1].FromSerial!.Value, _told.Transfers[1].ToSerial));
        Assert.Equal((5u, 7u), (versions[0].Item1!.Value, versions[^1].Item2));
        Assert.Equal(1, _source.Counters.Incremental);
    }

    [Fact, Trait("RFC", "1995 §4")]
    public void Where_differences_are_of_no_use_the_whole_zone_is_taken()
    {
        Start(First);
        Run(1);
        // The same serial, other records: differences from it do not fit.
        SimulatedServer other = new(_clock);
        other.Publish("z.test", Text.Replace("www A 192.0.2.2", "mail A 192.0.2.3"));
        other.Change("z.test", delta => delta.Remove(WireOctets.Name("mail.z.test"), RRType.A, [192, 0, 2, 3]));
        _network.Serve(First, other.Answer);
        Run(1000);
        Assert.Equal(6u, Slot!.Zone!.Serial);
        Assert.False(_told.Transfers[^1].IsIncremental);
        Assert.Equal((1, 1), (other.Asked[RRType.IXFR], other.Asked[RRType.AXFR]));
    }

    [Fact]
    public void The_next_primary_is_asked_where_one_fails()
    {
        SimulatedServer second = new(_clock);
        second.Publish("z.test", Text.Replace(" 5 1000", " 9 1000"));
        _network.Serve(Second, second.Answer);
        _network.Serve(First, null);
        Start(First, Second);
        Run(60);
        Assert.Equal(9u, Slot!.Zone!.Serial);
        Assert.Empty(_told.Failures);
    }

    [Fact]
    public void A_primary_that_gives_no_zone_does_not_keep_the_next_from_giving_it()
    {
        SimulatedServer second = new(_clock);
        second.Publish("z.test", Text);
        _network.Serve(Second, second.Answer);
        _network.Serve(First, (message, client, isReliable) =>
            isReliable ? Refuse(message) : _primary.Answer(message, client, isReliable));
        Start(First, Second);
        Run(60);
        Assert.Equal(5u, Slot!.Zone!.Serial);
        Assert.Equal(Second, Assert.Single(_told.Transfers).Primary.EndPoint);
        Assert.Equal(1, _source.Counters.Failed(TransferFailureKind.Refused));
    }

    [Fact, Trait("RFC", "1035 §3.3.13")]
    public void A_zone_that_nobody_confirms_expires_and_comes_back()
    {
        Start(First);
        Run(1);
        _network.Serve(First, null);
        Run(4990);
        Assert.Equal(ZoneState.Stale, Slot!.State);
        Assert.NotNull(Slot.Zone);
        Run(20);
        Assert.Equal(ZoneState.Expired, Slot.State);
        Assert.Null(Slot.Zone);
        Assert.Contains("expired z.test. 5", _told.Lines);
        _network.Serve(First, _primary.Answer);
        Run(100);
        Assert.Equal((ZoneState.Serving, 5u), (Slot.State, Slot.Zone!.Serial));
        Assert.Contains("recovered z.test. 5", _told.Lines);
        Assert.Single(_told.Transfers);
    }

    [Fact]
    public void The_same_failure_is_told_once_an_hour()
    {
        _network.Serve(First, null);
        Start(First);
        Assert.Equal(First, ((SecondaryZone)Slot!).MainPrimary);
        Run(3500);
        Assert.Single(_told.Failures);
        Assert.Equal(TransferFailureKind.Unreachable, _told.Failures[0].Kind);
        Run(4000);
        Assert.Equal(2, _told.Failures.Count);
        Assert.Equal(ZoneState.Failed, Slot!.State);
        Assert.Contains("does not answer", ((SecondaryZone)Slot).Replica.LastError);
    }

    [Fact]
    public void Failures_that_name_other_primaries_in_turn_are_told_each_ten_seconds_at_most()
    {
        Start(First, Second);
        Run(1);
        foreach ((IPEndPoint primary, int serial) in (ReadOnlySpan<(IPEndPoint, int)>)[(First, 4), (Second, 3)])
        {
            SimulatedServer older = new(_clock);
            older.Publish("z.test", Text.Replace(" 5 1000", $" {serial} 1000"));
            _network.Serve(primary, older.Answer);
        }
        for (int i = 0; i < 8; i++)
        {
            Notify(i % 2 == 0 ? First.Address : Second.Address);
            Run(1);
        }
        Assert.Single(_told.Failures);
        Run(2);
        Notify(Second.Address);
        Run(1);
        Notify(First.Address);
        Run(1);
        Assert.Equal(2, _told.Failures.Select(failure => failure.Message).Distinct().Count());
        Assert.Equal(2, _told.Failures.Count);
    }

    [Fact]
    public void A_primary_with_an_older_version_changes_nothing_and_is_told()
    {
        Start(First);
        Run(1);
        SimulatedServer older = new(_clock);
        older.Publish("z.test", Text.Replace(" 5 1000", " 4 1000"));
        _network.Serve(First, older.Answer);
        Run(1100);
        Assert.Equal((5u, ZoneState.Stale), (Slot!.Zone!.Serial, Slot.State));
        Assert.Equal(TransferFailureKind.SerialBehind, Assert.Single(_told.Failures).Kind);
        Assert.False(older.Asked.ContainsKey(RRType.AXFR));
    }

    [Fact]
    public async Task An_operator_may_take_an_older_version()
    {
        Start(First);
        Run(1);
        SimulatedServer older = new(_clock);
        older.Publish("z.test", Text.Replace(" 5 1000", " 4 1000"));
        _network.Serve(First, older.Answer);
        Task<TransferFailure?> done = _source.RefreshAsync(_source.Find(Name)!, isRetransfer: true, default);
        Run(1);
        Assert.Null(await done.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal(4u, Slot!.Zone!.Serial);
    }

    [Fact, Trait("RFC", "7314 §4")]
    public void A_primary_that_is_a_secondary_says_how_long_its_version_lasts()
    {
        using SecondarySource between = NewSource(Second.Address, out SimulatedServer middle, out _);
        _network.Serve(Second, middle.Answer);
        between.UseAsync([Options(First)], default);
        between.StartAsync(middle.Registry, null!, default);
        Run(1);
        _network.Serve(First, null);
        Run(3000);
        Start(Second);
        Run(1);
        Assert.Equal(5u, Slot!.Zone!.Serial);
        Assert.InRange((((SecondaryZone)Slot).Replica.Expires!.Value - _clock.GetUtcNow()).TotalSeconds, 1900, 2100);
        Run(2100);
        Assert.Equal(ZoneState.Expired, middle.Published.Current.FindExact(Name)!.State);
        Assert.Equal(ZoneState.Expired, Slot.State);
    }

    [Fact, Trait("RFC", "7314 §3.2")]
    public void A_secondary_counts_its_own_timer_down()
    {
        Start(First);
        Run(1);
        Assert.InRange(AskExpire(), 4998u, 5000u);
        _network.Serve(First, null);
        Run(3000);
        Assert.InRange(AskExpire(), 1990u, 2001u);
    }

    [Fact, Trait("RFC", "1996 §4.7")]
    public void A_notify_begins_one_refresh_however_often_it_comes()
    {
        Start(First);
        Run(1);
        _primary.Change("z.test", delta => delta.Add(WireOctets.Name("new.z.test"), RRType.A, 60, [192, 0, 2, 7]));
        int asked = _primary.Asked[RRType.SOA];
        for (int i = 0; i < 100; i++) Assert.Equal("NOERROR aa", Notify(First.Address).Header);
        Run(1);
        Assert.Equal(6u, Slot!.Zone!.Serial);
        Assert.Equal(asked + 1, _primary.Asked[RRType.SOA]);
        Assert.Equal(100, _source.Counters.Notifies);
    }

    [Fact, Trait("RFC", "1996 §4.7")]
    public void A_notify_that_comes_during_a_refresh_is_followed_by_another()
    {
        Start(First);
        Run(1);
        int asked = _primary.Asked[RRType.SOA];
        Notify(First.Address);
        _clock.Advance(TimeSpan.Zero);
        Assert.True(_source.IsBusy);
        for (int i = 0; i < 10; i++) Notify(First.Address);
        _clock.Advance(TimeSpan.FromSeconds(0.9));
        Assert.Equal(asked + 1, _primary.Asked[RRType.SOA]);
        Run(1);
        Assert.Equal(asked + 2, _primary.Asked[RRType.SOA]);
    }

    [Fact, Trait("RFC", "1996 §4.7")]
    public void After_a_refresh_by_notify_the_next_waits_a_second_and_the_last_notify_counts()
    {
        SimulatedServer second = new(_clock);
        second.Publish("z.test", Text);
        _network.Serve(Second, second.Answer);
        Start(First, Second);
        Run(1);
        int queried = _primary.Asked[RRType.SOA];
        for (int i = 0; i < 200; i++)
        {
            Notify((i == 199 ? Second : First).Address);
            _clock.Advance(TimeSpan.FromMilliseconds(4));
        }
        Assert.Equal(queried + 1, _primary.Asked[RRType.SOA]);
        Assert.False(second.Asked.ContainsKey(RRType.SOA));
        Run(1);
        Assert.Equal((queried + 1, 1), (_primary.Asked[RRType.SOA], second.Asked[RRType.SOA]));
        Run(3);
        Assert.Equal((queried + 1, 1), (_primary.Asked[RRType.SOA], second.Asked[RRType.SOA]));
    }

    [Fact]
    public async Task An_operator_does_not_wait_for_the_pause_of_notify()
    {
        Start(First);
        Run(1);
        Notify(First.Address);
        _clock.Advance(TimeSpan.Zero);
        Notify(First.Address);
        Task<TransferFailure?> done = _source.RefreshAsync(_source.Find(Name)!, isRetransfer: false, default);
        _clock.Advance(TimeSpan.FromSeconds(0.5));
        Assert.Null(await done.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    [Theory]
    [InlineData("bare")]
    [InlineData("cut")]
    public void A_primary_whose_datagram_is_of_no_use_is_queried_over_tcp_at_once(string fault)
    {
        IEnumerator<byte[]> Useless(byte[] message, IPEndPoint client)
        {
            using IEnumerator<byte[]> replies = _primary.Answer(message, client, false)!;
            replies.MoveNext();
            byte[] reply = replies.Current;
            yield return fault == "cut" ? reply[..^5] : [.. message[..2], 0x80, 5, 0, 0, 0, 0, 0, 0, 0, 0];
        }
        _network.Serve(First, (message, client, isReliable) =>
            isReliable ? _primary.Answer(message, client, isReliable) : Useless(message, client));
        Start(First);
        Run(1);
        Assert.Equal(5u, Slot!.Zone?.Serial);
    }

    [Theory, Trait("RFC", "1995 §2")]
    [InlineData(9)]
    [InlineData(4)]
    public void One_soa_as_differences_leads_to_the_whole_zone_at_once_or_to_the_log(int serial)
    {
        Start(First);
        Run(1);
        IEnumerator<byte[]> Single(byte[] message)
        {
            yield return
            [
                .. message[..2], 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0, .. message[12..WireOctets.QuestionEnd(message)],
                .. WireOctets.Record("z.test", RRType.SOA, 1, 300, PrimaryMessages.Soa((uint)serial)),
            ];
        }
        SimulatedServer newer = new(_clock);
        newer.Publish("z.test", Text.Replace(" 5 1000", " 9 1000"));
        _network.Serve(First, (message, client, isReliable) =>
            message[WireOctets.QuestionEnd(message) - 3] == (byte)RRType.IXFR
                ? Single(message) : newer.Answer(message, client, isReliable));
        Notify(First.Address);
        Run(1);
        Assert.Equal(serial == 9 ? 9u : 5u, Slot!.Zone!.Serial);
        if (serial == 4)
            Assert.Contains("has serial 4 now, which is behind 5", Assert.Single(_told.Failures).Message);
    }

    [Fact, Trait("RFC", "6672 §2.4")]
    public void Data_below_a_dname_is_served_with_a_warning_that_is_not_repeated()
    {
        Start(First);
        Run(1);
        for (int serial = 6; serial < 8; serial++)
        {
            SimulatedServer other = new(_clock);
            ZoneBuilder builder = new(WireOctets.Name("z.test"));
            foreach (string record in new[] { $"@ SOA {serial}", "@ NS ns.z.test", "ns A 192.0.2.1", "d DNAME e.test",
                "a.d A 192.0.2.2" })
            {
                RecordReader reader = RecordReader.OfDetached(PrimaryMessages.Record(record), 1, 12);
                reader.TryRead();
                builder.Add(WireOctets.Name(record.Split(' ')[0] is var name and not "@" ? $"{name}.z.test" : "z.test"),
                    sameOwner: false, reader.Type, 300, reader.Rdata);
            }
            other.Publish(builder.Build());
            _network.Serve(First, other.Answer);
            Notify(First.Address);
            Run(2);
            Assert.Equal((uint)serial, Slot!.Zone!.Serial);
            Assert.Equal(serial == 6 ? 1 : 0, _told.Transfers[^1].Warnings.Count);
        }
    }

    [Fact]
    public void A_version_without_ns_leaves_the_one_before_with_a_failure()
    {
        Start(First);
        Run(1);
        SimulatedServer emptied = new(_clock);
        emptied.Publish("z.test", "$TTL 300\n@ SOA ns hostmaster 6 1000 100 5000 60\n");
        _network.Serve(First, emptied.Answer);
        Notify(First.Address);
        Run(1);
        Assert.Equal((5u, ZoneState.Stale), (Slot!.Zone!.Serial, Slot.State));
        Assert.Equal(TransferFailureKind.BadZone, Assert.Single(_told.Failures).Kind);
    }

    [Fact]
    public void A_notify_of_a_serial_that_no_primary_has_does_not_spin()
    {
        Start(First);
        Run(1);
        int asked = _primary.Asked[RRType.SOA];
        Notify(First.Address, serial: 4_000_000);
        Run(600);
        Assert.Equal(asked + 5, _primary.Asked[RRType.SOA]);
        Notify(First.Address, serial: 4_000_000);
        Run(60);
        Assert.Equal(asked + 6, _primary.Asked[RRType.SOA]);
        Notify(First.Address, serial: 5);
        Run(1);
        Assert.Equal(asked + 6, _primary.Asked[RRType.SOA]);
    }

    [Fact]
    public void A_primary_that_tells_a_serial_before_it_answers_with_it_is_asked_again()
    {
        Start(First);
        Run(1);
        Notify(First.Address, serial: 6);
        _clock.Advance(TimeSpan.FromSeconds(0.5));
        _primary.Change("z.test", delta => delta.Add(WireOctets.Name("new.z.test"), RRType.A, 60, [192, 0, 2, 7]));
        Assert.Equal(5u, Slot!.Zone!.Serial);
        Run(1);
        Assert.Equal(6u, Slot!.Zone!.Serial);
    }

    [Theory, Trait("RFC", "1996 §3.10")]
    [InlineData("192.0.2.77", "z.test", "REFUSED")]
    [InlineData("192.0.2.1", "other.test", "NOTAUTH")]
    [InlineData("192.0.2.1", "www.z.test", "NOTAUTH")]
    public void A_notify_that_is_not_allowed_has_no_effect(string from, string zone, string header)
    {
        Start(First);
        Run(1);
        int asked = _primary.Asked[RRType.SOA];
        Assert.Equal(header, Notify(IPAddress.Parse(from), zone).Header);
        Run(1);
        Assert.Equal(asked, _primary.Asked[RRType.SOA]);
    }

    [Fact]
    public void A_zone_without_a_version_is_asked_for_less_and_less_often()
    {
        _network.Serve(First, null);
        Start(First);
        Run(3600);
        int datagrams = _network.DatagramsSent;
        Assert.InRange(datagrams, 8, 30);
        Run(3600);
        Assert.InRange(_network.DatagramsSent - datagrams, 5, 20);
    }

    [Fact]
    public void No_more_transfers_run_at_a_time_than_may_and_primaries_take_turns()
    {
        int running = 0, most = 0;
        List<IPEndPoint> order = [];
        IEnumerator<byte[]> Slow(SimulatedServer server, IPEndPoint endpoint, byte[] message, IPEndPoint client)
        {
            most = Math.Max(most, ++running);
            order.Add(endpoint);
            using IEnumerator<byte[]> replies = server.Answer(message, client, true)!;
            try
            {
                while (replies.MoveNext()) yield return replies.Current;
            }
            finally
            {
                running--;
            }
        }
        SimulatedServer many = new(_clock), few = new(_clock);
        for (int i = 0; i < 50; i++) many.Publish($"m{i}.test", Text);
        for (int i = 0; i < 5; i++) few.Publish($"f{i}.test", Text);
        _network.Serve(First, (m, c, r) => r ? Slow(many, First, m, c) : many.Answer(m, c, r));
        _network.Serve(Second, (m, c, r) => r ? Slow(few, Second, m, c) : few.Answer(m, c, r));
        _source.Options = _source.Options with { Transfer = new TransferOptions { MaxIncoming = 3 } };
        _source.UseAsync(
        [
            .. Enumerable.Range(0, 50).Select(i => Options(First) with { Name = DomainName.Parse($"m{i}.test") }),
            .. Enumerable.Range(0, 5).Select(i => Options(Second) with { Name = DomainName.Parse($"f{i}.test") }),
        ], default);
        _source.StartAsync(_ours.Registry, null!, default);
        Run(60);
        Assert.Equal(55, _told.Transfers.Count);
        Assert.InRange(most, 1, 3);
        Assert.InRange(order.LastIndexOf(Second), 0, 40);
    }

    [Theory]
    [InlineData(1, 3, 2)]
    [InlineData(1, 8, 4)]
    [InlineData(2, 8, 6)]
    public void Primaries_whose_transfers_do_not_end_leave_places_to_another(int primaries, int places, int taken)
    {
        IPEndPoint third = new(IPAddress.Parse("192.0.2.3"), 53);
        SimulatedServer slow = new(_clock), good = new(_clock);
        for (int i = 0; i < 40; i++) slow.Publish($"m{i}.test", Text);
        good.Publish("f.test", Text);
        int running = 0;
        IEnumerator<byte[]> Silent()
        {
            running++;
            yield break;
        }
        IPEndPoint[] silent = [.. new[] { First, Second }.Take(primaries)];
        foreach (IPEndPoint primary in silent)
            _network.Serve(primary, (m, c, r) => r ? Silent() : slow.Answer(m, c, r));
        _network.Serve(third, good.Answer);
        _source.Options = _source.Options with { Transfer = new TransferOptions { MaxIncoming = places } };
        _source.UseAsync(
        [
            .. Enumerable.Range(0, 40)
                .Select(i => Options(silent[i % primaries]) with { Name = DomainName.Parse($"m{i}.test") }),
            Options(third) with { Name = DomainName.Parse("f.test") },
        ], default);
        _source.StartAsync(_ours.Registry, null!, default);
        Run(2);
        Assert.Equal("f.test.", Assert.Single(_told.Transfers).Zone.ToString());
        Assert.Equal(taken, running);
    }

    [Theory]
    [InlineData(1, 100, false, 50)]
    [InlineData(1, 3, false, 2)]
    [InlineData(2, 100, false, 67)]
    [InlineData(1, 100, true, 50)]
    public void Primaries_that_do_not_answer_queries_of_serials_leave_places_to_another(
        int primaries, int places, bool isSecondChoice, int taken)
    {
        IPEndPoint third = new(IPAddress.Parse("192.0.2.3"), 53);
        SimulatedServer good = new(_clock);
        good.Publish("f.test", Text);
        int running = 0;
        IEnumerator<byte[]> Silent()
        {
            running++;
            yield break;
        }
        IPEndPoint[] silent = [.. new[] { First, Second }.Take(primaries)];
        foreach (IPEndPoint primary in silent)
            _network.Serve(primary, (m, _, r) => r ? Silent() : ReplyWith(MessageHeader.Truncated, m));
        _network.Serve(third, good.Answer);
        _source.Options = _source.Options with { MaxChecks = places };
        SecondaryZoneOptions Slow(int i)
        {
            IPEndPoint before = new(new IPAddress([10, 0, 0, (byte)i]), 53);
            _network.Serve(before, (m, _, _) => ReplyWith((int)Rcode.Refused, m));
            IPEndPoint mute = silent[i % primaries];
            return (isSecondChoice ? Options(before, mute) : Options(mute)) with
            {
                Name = DomainName.Parse($"m{i}.test"),
            };
        }
        _source.UseAsync([.. Enumerable.Range(0, 250).Select(Slow)], default);
        _source.StartAsync(_ours.Registry, null!, default);
        Run(2);
        _source.UseAsync(
            [.. Enumerable.Range(0, 250).Select(Slow), Options(third) with { Name = DomainName.Parse("f.test") }],
            default);
        Run(2);
        Assert.Equal("f.test.", Assert.Single(_told.Transfers).Zone.ToString());
        Assert.Equal(taken, running);
    }

    [Fact]
    public void A_zone_that_is_notified_while_it_waits_is_queried_in_the_turn_of_the_notifying_primary()
    {
        int running = 0;
        IEnumerator<byte[]> Silent()
        {
            running++;
            yield break;
        }
        _network.Serve(First, (m, _, r) => r ? Silent() : ReplyWith(MessageHeader.Truncated, m));
        SimulatedServer second = new(_clock);
        second.Publish("z.test", Text);
        _network.Serve(Second, second.Answer);
        _source.Options = _source.Options with { MaxChecks = 3 };
        SecondaryZoneOptions[] slow =
            [.. Enumerable.Range(0, 5).Select(i => Options(First) with { Name = DomainName.Parse($"m{i}.test") })];
        _source.UseAsync(slow, default);
        _source.StartAsync(_ours.Registry, null!, default);
        Run(2);
        _source.UseAsync([.. slow, Options(First, Second)], default);
        Run(2);
        Assert.Null(Slot!.Zone);
        Notify(First.Address);
        Notify(Second.Address);
        Run(2);
        Assert.Equal((5u, 2), (Slot!.Zone!.Serial, running));
    }

    [Fact]
    public void A_refresh_after_a_notify_begins_with_the_notifying_primary()
    {
        List<char> asked = [];
        IEnumerator<byte[]> Silent()
        {
            asked.Add('1');
            yield break;
        }
        _network.Serve(First, (_, _, _) => Silent());
        SimulatedServer second = new(_clock);
        second.Publish("z.test", Text);
        _network.Serve(Second, (message, client, isReliable) =>
        {
            asked.Add('2');
            return second.Answer(message, client, isReliable);
        });
        Start(First, Second);
        Run(1);
        Notify(Second.Address);
        Run(60);
        Assert.Equal(5u, Slot!.Zone!.Serial);
        int turn = asked.IndexOf('2');
        Assert.All(asked[..turn], primary => Assert.Equal('1', primary));
        // One refresh for the zone, and one more.
        Assert.True(asked.Count > turn + 2);
        Assert.All(asked[turn..], primary => Assert.Equal('2', primary));
    }

    [Fact]
    public void A_zone_that_is_notified_by_one_primary_and_another_keeps_its_place()
    {
        List<string> asked = [];
        IEnumerator<byte[]> Silent(byte[] message)
        {
            asked.Add(NameText.ToText(message.AsSpan(12))[..2]);
            yield break;
        }
        foreach (IPEndPoint primary in (IPEndPoint[])[First, Second])
            _network.Serve(primary, (m, _, r) => r ? Silent(m) : ReplyWith(MessageHeader.Truncated, m));
        _source.Options = _source.Options with { MaxChecks = 1 };
        SecondaryZoneOptions[] zones = [Named("a1", First), Named("a2", First), Named("a3", First)];
        _source.UseAsync(zones, default);
        _source.StartAsync(_ours.Registry, null!, default);
        Run(1);
        zones = [.. zones, Named("m1", First, Second)];
        _source.UseAsync(zones, default);
        Run(1);
        Notify(Second.Address, "m1");
        _source.UseAsync([.. zones, Named("b1", Second), Named("b2", Second)], default);
        Run(1);
        foreach (IPAddress from in (IPAddress[])[First.Address, Second.Address, First.Address, Second.Address])
            Notify(from, "m1");
        Run(100);
        Assert.Equal("m1", asked.First(zone => zone[0] != 'a'));

        static SecondaryZoneOptions Named(string name, params IPEndPoint[] primaries) =>
            Options(primaries) with { Name = DomainName.Parse(name) };
    }

    [Fact]
    public void Zones_come_go_and_move_while_the_others_are_served()
    {
        Start(First);
        Run(1);
        ZoneSlot slot = Slot!;
        SimulatedServer second = new(_clock);
        second.Publish("z.test", Text.Replace(" 5 1000", " 6 1000"));
        second.Publish("y.test", Text);
        _network.Serve(Second, second.Answer);
        _source.UseAsync([Options(Second), Options(Second) with { Name = DomainName.Parse("y.test") }], default);
        Assert.Same(slot, Slot);
        Run(1);
        Assert.Equal(6u, Slot!.Zone!.Serial);
        Assert.NotNull(_ours.Published.Current.FindExact(DomainName.Parse("y.test"))!.Zone);
        _source.UseAsync([Options(Second) with { Name = DomainName.Parse("y.test") }], default);
        Assert.Null(Slot);
        Assert.DoesNotContain(_disk.Paths, path => path.Contains("z.test", StringComparison.Ordinal));
        Run(5000);
        Assert.Null(Slot);
    }

    [Fact]
    public void A_restart_serves_from_disk_and_knows_its_times_without_a_primary()
    {
        Start(First);
        Run(1);
        _primary.Change("z.test", delta => delta.Add(WireOctets.Name("new.z.test"), RRType.A, 60, [192, 0, 2, 7]));
        Notify(First.Address);
        Run(1);
        Assert.Equal(6u, Slot!.Zone!.Serial);
        Run(2000);
        _network.Serve(First, null);
        SimulatedServer after = Restart(out SecondarySource source);
        ZoneSlot slot = after.Published.Current.FindExact(Name)!;
        Assert.Equal((6u, 65L, ZoneState.Serving), (slot.Zone!.Serial, slot.Zone.RecordCount, slot.State));
        Assert.InRange((((SecondaryZone)slot).Replica.Expires!.Value - _clock.GetUtcNow()).TotalSeconds, 3900, 5000);
        Run(5000);
        Assert.Equal(ZoneState.Expired, slot.State);
        source.Dispose();
        after = Restart(out source);
        slot = after.Published.Current.FindExact(Name)!;
        Assert.Equal(ZoneState.Expired, slot.State);
        _network.Serve(First, _primary.Answer);
        Run(10);
        Assert.Equal((ZoneState.Serving, 6u), (slot.State, slot.Zone!.Serial));
        source.Dispose();
    }

    [Fact]
    public void A_server_that_takes_over_has_the_versions_that_the_one_before_transferred_meanwhile()
    {
        Start(First);
        Run(1);
        SimulatedServer server = new(_clock);
        using SecondarySource successor = NewSource(Ours, server, _told, _disk);
        successor.UseAsync([Options(First)], default);
        successor.StartAsync(server.Registry, null!, default);
        _primary.Change("z.test", delta => delta.Add(WireOctets.Name("new.z.test"), RRType.A, 60, [192, 0, 2, 7]));
        Notify(First.Address);
        Run(1);
        ZoneSlot slot = server.Published.Current.FindExact(Name)!;
        Assert.Equal((6u, 5u), (Slot!.Zone!.Serial, slot.Zone!.Serial));
        successor.CatchUp();
        Run(1);
        Assert.Equal(6u, slot.Zone!.Serial);
    }

    [Fact, Trait("RFC", "1995 §4")]
    public void The_next_secondary_gets_differences_from_one_that_was_restarted()
    {
        Start(First);
        Run(1);
        SimulatedServer next = new(_clock);
        RecordingObserver told = new();
        using SecondarySource ofNext = NewSource(Second.Address, next, told, new FaultyFiles());
        _network.Serve(new IPEndPoint(Ours, 53), _ours.Answer);
        ofNext.UseAsync([Options(new IPEndPoint(Ours, 53))], default);
        ofNext.StartAsync(next.Registry, null!, default);
        Run(1);
        Assert.Equal(5u, next.Published.Current.FindExact(Name)!.Zone!.Serial);
        _primary.Change("z.test", delta => delta.Remove(WireOctets.Name("www.z.test"), RRType.A, [192, 0, 2, 2]));
        _primary.Change("z.test", delta => delta.Add(WireOctets.Name("new.z.test"), RRType.A, 60, [192, 0, 2, 7]));
        // Nothing is passed on before the restart.
        _network.Serve(new IPEndPoint(Ours, 53), null);
        Notify(First.Address);
        Run(1);
        SimulatedServer after = Restart(out SecondarySource source);
        _network.Serve(new IPEndPoint(Ours, 53), after.Answer);
        Run(2000);
        Assert.Equal(7u, next.Published.Current.FindExact(Name)!.Zone!.Serial);
        Assert.Equal((true, 5u), (told.Transfers[^1].IsIncremental, told.Transfers[^1].FromSerial!.Value));
        ZoneSlot slot = after.Published.Current.FindExact(Name)!;
        Assert.True(after.History.TryFind(slot, slot.Zone!, 5, out ZoneChanges? changes));
        Assert.Contains("www.z.test. 300 a 192.0.2.2", ChangingZone.TextOf(changes.Deltas[0].Removed));
        source.Dispose();
    }

    [Fact]
    public void A_version_that_cannot_be_kept_is_not_served()
    {
        Start(First);
        Run(1);
        _disk.Room = 0;
        _primary.Change("z.test", delta => delta.Add(WireOctets.Name("new.z.test"), RRType.A, 60, [192, 0, 2, 7]));
        Run(1000);
        Assert.Equal((5u, ZoneState.Stale), (Slot!.Zone!.Serial, Slot.State));
        Assert.Equal(TransferFailureKind.NotStored, Assert.Single(_told.Failures).Kind);
        _disk.Room = long.MaxValue;
        Run(100);
        Assert.Equal((6u, ZoneState.Serving), (Slot.Zone!.Serial, Slot.State));
    }

    [Fact]
    public void A_primary_that_drips_is_dropped()
    {
        _network.Serve(First,
            (message, client, isReliable) => isReliable ? Drip(message) : _primary.Answer(message, client, isReliable));
        _network.MostDelay = TimeSpan.FromSeconds(10);
        Start(First);
        Run(200);
        Assert.Contains(_told.Failures,
            failure => failure.Message.Contains("less than 1024 octets in 30 s", StringComparison.Ordinal));
        Assert.Null(Slot!.Zone);
    }

    [Fact]
    public void A_primary_that_closes_early_leaves_the_zone_as_it_was()
    {
        Start(First);
        Run(1);
        _primary.Change("z.test", delta => delta.Add(WireOctets.Name("new.z.test"), RRType.A, 60, [192, 0, 2, 7]));
        _network.Serve(First, (message, client, isReliable) =>
            isReliable ? Early(message) : _primary.Answer(message, client, isReliable));
        Run(1000);
        Assert.Equal((5u, ZoneState.Stale), (Slot!.Zone!.Serial, Slot.State));
        Assert.Equal(TransferFailureKind.EndedEarly, _told.Failures[0].Kind);
    }

    [Fact]
    public void Signed_primaries_are_asked_with_their_key()
    {
        TsigKeyRing keys = new([new TsigKey(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, new byte[32])]);
        SimulatedServer signed = new(_clock, keys);
        signed.Publish("z.test", Text);
        _network.Serve(First, signed.Answer);
        _source.Options = _source.Options with { Keys = keys };
        PeerAddress primary = new(First, DomainName.Parse("k1."));
        _source.UseAsync([new SecondaryZoneOptions(Name, [primary])], default);
        _source.StartAsync(_ours.Registry, null!, default);
        Run(1);
        Assert.Equal(5u, Slot!.Zone!.Serial);
        _source.Options = _source.Options with { Keys = TsigKeyRing.Empty };
        Run(1000);
        Assert.Contains("there is no key k1.", _told.Failures[^1].Message);
    }

    [Fact]
    public void Ten_thousand_zones_have_one_timer_and_a_bounded_heap()
    {
        _network.Serve(First, null);
        _source.UseAsync([.. Enumerable.Range(0, 10_000)
            .Select(i => Options(First) with { Name = DomainName.Parse($"z{i}.test") })], default);
        _source.StartAsync(_ours.Registry, null!, default);
        for (int i = 0; i < 100; i++) Run(30);
        Assert.Equal(10_000, _source.ZoneCount);
        Assert.InRange(_source.ScheduledEntries, 0, 30_100);
        Assert.InRange(_clock.Planned, 0, 2000);
    }

    private SecondarySource NewSource() => NewSource(Ours, _ours, _told, _disk);

    private SecondarySource NewSource(IPAddress local, out SimulatedServer server, out RecordingObserver told) =>
        NewSource(local, server = new SimulatedServer(_clock), told = new RecordingObserver(), new FaultyFiles());

    private SecondarySource NewSource(IPAddress local, SimulatedServer server, RecordingObserver told, FaultyFiles disk)
    {
        _ = server;
        return new SecondarySource(
            "the test", new SecondaryOptions(), new ZoneCopyFolder("/zones", disk), _network.Of(local), told, _clock,
            new Random(1), work => work());
    }

    private static SecondaryZoneOptions Options(params IPEndPoint[] primaries) =>
        new(Name, [.. primaries.Select(primary => new PeerAddress(primary))]);

    private void Start(params IPEndPoint[] primaries)
    {
        _source.UseAsync([Options(primaries)], default);
        _source.StartAsync(_ours.Registry, null!, default);
    }

    /// <summary>What a process finds that starts behind one that was killed.</summary>
    private SimulatedServer Restart(out SecondarySource source)
    {
        _source.Dispose();
        SimulatedServer server = new(_clock);
        source = NewSource(Ours, server, _told, _disk);
        source.Restored += server.History.Seed;
        source.UseAsync([Options(First)], default);
        source.StartAsync(server.Registry, null!, default);
        return server;
    }

    private void Run(int seconds) => _clock.Advance(TimeSpan.FromSeconds(seconds));

    private Reply Notify(IPAddress from, string zone = "z.test", uint? serial = null)
    {
        QueryMessage message = QueryMessage.For(zone + " SOA") with { Flags = (int)Opcode.Notify << 11 };
        if (serial is { } told)
            message = message with { Answer = [WireOctets.Record(zone, RRType.SOA, 1, 0, PrimaryMessages.Soa(told))] };
        IEnumerator<byte[]> replies = _ours.Answer(message.ToOctets(), new IPEndPoint(from, 1234), false)!;
        Assert.True(replies.MoveNext());
        return Reply.Read(replies.Current);
    }

    private uint AskExpire()
    {
        byte[] query = QueryMessage.For("z.test SOA").WithOption(EdnsOptionCode.Expire).ToOctets();
        IEnumerator<byte[]> replies = _ours.Answer(query, new IPEndPoint(Ours, 1234), false)!;
        replies.MoveNext();
        MessageReader.TryOpen(replies.Current, out MessageReader message);
        return SoaAnswer.ReadExpire(message) ?? throw new InvalidDataException("no EXPIRE");
    }

    private static IEnumerator<byte[]> Refuse(byte[] message)
    {
        byte[] reply = [.. message[..12]];
        MessageHeader.SetFlags(reply, MessageHeader.QueryResponse | (int)Rcode.Refused);
        reply.AsSpan(4).Clear();
        yield return reply;
    }

    private static IEnumerator<byte[]> ReplyWith(int flags, byte[] message)
    {
        byte[] reply = [.. message];
        MessageHeader.SetFlags(reply, (ushort)(MessageHeader.QueryResponse | flags));
        yield return reply;
    }

    /// <summary>One record after the other, each well within the time-out.</summary>
    private static IEnumerator<byte[]> Drip(byte[] message)
    {
        for (int i = 0; ; i++) yield return ReplyTo(message, i == 0 ? "@ SOA 5" : $"a{i} A 192.0.2.1");
    }

    private static IEnumerator<byte[]> Early(byte[] message)
    {
        yield return ReplyTo(message, "@ SOA 6", "@ NS ns.z.test");
        yield return [];
    }

    private static byte[] ReplyTo(byte[] message, params string[] records) => new QueryMessage
    {
        Id = MessageHeader.Id(message),
        Flags = MessageHeader.QueryResponse | MessageHeader.AuthoritativeAnswer,
        Question = message[12..WireOctets.QuestionEnd(message)],
        Answer = [.. records.Select(PrimaryMessages.Record)],
    }.ToOctets();
}
