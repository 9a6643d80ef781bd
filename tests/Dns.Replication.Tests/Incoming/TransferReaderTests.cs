using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>What a secondary makes of the messages of a primary, and of those of a malicious one.</summary>
public sealed class TransferReaderTests
{
    private const long Now = 1_600_000_000;
    private static readonly DomainName Name = DomainName.Parse(PrimaryMessages.Zone);
    private static readonly TsigKey Key = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, new byte[32]);
    private static readonly Zone Have = ZoneText.Load(PrimaryMessages.Zone, """
        $TTL 300
        @ SOA ns hostmaster 5 3600 600 86400 60
        @ NS ns
        ns A 192.0.2.1
        www A 192.0.2.2
        """);

    private static readonly TransferFailure Early = new(TransferFailureKind.EndedEarly, "the connection ended");

    private TransferOptions _limits = new();

    [Fact, Trait("RFC", "5936 §2.2")]
    public void A_whole_zone_is_what_stands_between_two_times_its_soa()
    {
        TransferReader reader = Read(Axfr(), ["@ SOA 6", "@ NS ns.z.test", "ns A 192.0.2.1", "@ SOA 6"]);
        Assert.Null(reader.Failure);
        Assert.Equal((6u, 3L, 4L), (reader.Zone!.Serial, reader.Zone.RecordCount, reader.Records));
        Assert.False(reader.IsIncremental);
    }

    [Fact, Trait("RFC", "5936 §2.2")]
    public void Records_may_be_spread_over_messages_in_any_way()
    {
        string[] records = ["@ SOA 6", "@ NS ns.z.test", "ns A 192.0.2.1", "a TXT x", "ns A 192.0.2.9", "@ SOA 6"];
        TransferReader reader = Read(Axfr(), [.. records.Select(record => (string[])[record])]);
        Assert.Null(reader.Failure);
        Assert.Equal((5L, 6), (reader.Zone!.RecordCount, reader.Messages));
    }

    [Fact, Trait("RFC", "5936 §2.2.1")]
    public void Later_messages_need_no_question()
    {
        PrimaryQuery query = Axfr();
        TransferReader reader = ReaderOf(query);
        Assert.Equal(TransferStep.More,
            reader.Take(PrimaryMessages.Reply(query, "@ SOA 6", "@ NS ns.z.test").ToOctets(), Now));
        byte[] later = (PrimaryMessages.Reply(query, "@ SOA 6") with { Question = [] }).ToOctets();
        Assert.Equal(TransferStep.Complete, reader.Take(later, Now));
    }

    [Fact, Trait("RFC", "1995 §2")]
    public void One_soa_with_a_newer_serial_needs_the_whole_zone()
    {
        TransferReader reader = ReaderOf(Ixfr());
        Assert.Equal(TransferStep.Failed, reader.Take(PrimaryMessages.Reply(Ixfr(), "@ SOA 6").ToOctets(), Now));
        Assert.True(reader.Failure!.NeedsAxfr);
    }

    [Theory]
    [InlineData("@ SOA 6,www A 192.0.2.2,@ SOA 6")]
    [InlineData("@ SOA 6,@ SOA 6")]
    public void A_version_without_ns_does_not_replace_one_that_has_some(string records)
    {
        TransferReader reader = Read(Axfr(), [records.Split(',')]);
        Assert.Equal(TransferFailureKind.BadZone, reader.Failure!.Kind);
        Assert.Contains("found no NS at the apex", reader.Failure.Message);
        Assert.Null(reader.Zone);
        // Without a version before, it is served with a warning, and so by request of the operator.
        foreach (bool isFirst in (bool[])[true, false])
        {
            reader = new(Axfr(), isFirst ? null : Have, _limits, ZoneLimits.Default, acceptsAnySerial: !isFirst);
            Assert.Equal(TransferStep.Complete,
                reader.Take(PrimaryMessages.Reply(Axfr(), records.Split(',')).ToOctets(), Now));
        }
    }

    [Fact]
    public void A_difference_that_removes_the_last_ns_is_refused()
    {
        TransferReader reader = Read(Ixfr(), ["@ SOA 6", "@ SOA 5", "@ NS ns.z.test", "@ SOA 6", "@ SOA 6"]);
        Assert.Equal(TransferFailureKind.BadZone, reader.Failure?.Kind);
        Assert.Null(reader.Zone);
        Assert.Empty(reader.Versions);
    }

    [Fact, Trait("RFC", "6672 §2.4")]
    public void Data_below_a_dname_is_taken_with_a_warning()
    {
        TransferReader reader = Read(Axfr(),
            ["@ SOA 6", "@ NS ns.z.test", "ns A 192.0.2.1", "d DNAME e.test", "a.d A 192.0.2.2", "@ SOA 6"]);
        Assert.Equal(5L, reader.Zone!.RecordCount);
        Assert.Contains("below the DNAME", Assert.Single(reader.Warnings));
    }

    [Fact, Trait("RFC", "3597 §4")]
    public void Compressed_names_in_rdata_of_newer_types_are_expanded()
    {
        PrimaryQuery query = Axfr();
        QueryMessage message = PrimaryMessages.Reply(query, "@ SOA 6", "@ NS ns.z.test", "ns A 192.0.2.1", "@ SOA 6");
        // 1, and a pointer to the name of the question.
        byte[] svcb = WireOctets.Record("www.z.test", RRType.SVCB, 1, 300, [0, 1, 0xC0, 12]);
        TransferReader reader = ReaderOf(query);
        Assert.Equal(TransferStep.Complete, reader.Take(
            (message with { Answer = [.. message.Answer[..^1], svcb, message.Answer[^1]] }).ToOctets(), Now));
        LookupName name = default;
        name.Set(WireOctets.Name("www.z.test"));
        Assert.True(reader.Zone!.TryFind(in name, 0, out ZoneNode node) && node.TryFind(RRType.SVCB, out _));
        node.TryFind(RRType.SVCB, out RRset found);
        Assert.Equal([0, 1, .. WireOctets.Name("z.test")], found.First.ToArray());
    }

    [Fact]
    public void Octets_behind_a_message_are_ignored()
    {
        PrimaryQuery query = Axfr();
        QueryMessage message = PrimaryMessages.Reply(query, "@ SOA 6", "@ NS ns.z.test", "ns A 192.0.2.1", "@ SOA 6");
        Assert.Equal(TransferStep.Complete, ReaderOf(query).Take((message with { Tail = [0, 1] }).ToOctets(), Now));
    }

    [Fact, Trait("RFC", "1995 §2")]
    public void One_soa_with_the_serial_that_is_here_says_that_nothing_is_newer()
    {
        TransferReader reader = Read(Ixfr(), ["@ SOA 5"]);
        Assert.True(reader.IsUpToDate);
        Assert.Null(reader.Zone);
    }

    [Fact, Trait("RFC", "1995 §4")]
    public void Differences_are_applied_one_after_the_other()
    {
        TransferReader reader = Read(Ixfr(),
            ["@ SOA 7", "@ SOA 5", "www A 192.0.2.2", "@ SOA 6", "www A 192.0.2.3"],
            ["@ SOA 6", "@ SOA 7", "new TXT x", "@ SOA 7"]);
        Assert.Null(reader.Failure);
        Assert.True(reader.IsIncremental);
        Assert.Equal([(5u, 6u), (6u, 7u)],
            reader.Versions.Select(version => (version.Delta.SerialFrom, version.Delta.SerialTo)));
        Assert.Equal((7u, 5L), (reader.Zone!.Serial, reader.Zone.RecordCount));
        Assert.Equal((5u, 4L), (Have.Serial, Have.RecordCount));
    }

    [Fact]
    public void A_difference_has_the_times_to_live_of_what_it_removes()
    {
        // Of an RRset whose TTL changes, all records are removed and added.
        Zone have = ZoneText.Load(PrimaryMessages.Zone,
            "$TTL 3600\n@ SOA ns hostmaster 5 3600 600 86400 60\n@ NS ns\nns A 192.0.2.1\nwww A 192.0.2.2\n");
        using PrimaryQuery query = PrimaryQuery.Write(4711, Name, RRType.IXFR, have, true, null, Now);
        TransferReader reader = Read(query, have,
            ["@ SOA 6", "@ SOA 5", "www A 192.0.2.2", "@ SOA 6", "ns A 192.0.2.9", "@ SOA 6"]);
        ZoneDelta delta = Assert.Single(reader.Versions).Delta;
        Assert.Equal([("z.test.", 3600u), ("www.z.test.", 3600u), ("ns.z.test.", 3600u)], Listed(delta.Removed));
        Assert.Equal([("z.test.", 300u), ("ns.z.test.", 300u), ("ns.z.test.", 300u)], Listed(delta.Added));

        static List<(string Owner, uint Ttl)> Listed(RecordList list)
        {
            List<(string, uint)> records = [];
            foreach (RecordList.ListedRecord record in list) records.Add((NameText.ToText(record.Owner), record.Ttl));
            return records;
        }
    }

    [Fact, Trait("RFC", "1995 §4")]
    public void A_query_for_differences_may_bring_the_whole_zone()
    {
        TransferReader reader = Read(Ixfr(), ["@ SOA 6", "@ NS ns.z.test", "@ SOA 6"]);
        Assert.Null(reader.Failure);
        Assert.False(reader.IsIncremental);
        Assert.Equal(2L, reader.Zone!.RecordCount);
    }

    [Fact, Trait("RFC", "1982 §3.2")]
    public void Serials_go_round()
    {
        Zone high = ZoneText.Load("z.test",
            "$TTL 300\n@ SOA ns hostmaster 4294967295 3600 600 86400 60\n@ NS ns\nns A 192.0.2.1\n");
        Assert.Equal(1u, Read(Axfr(), high, ["@ SOA 1", "@ NS ns.z.test", "@ SOA 1"]).Zone!.Serial);
    }

    [Theory]
    [InlineData("@ SOA 4,@ NS ns.z.test,@ SOA 4", TransferFailureKind.SerialBehind)]
    [InlineData("@ SOA 5,@ NS ns.z.test,@ SOA 5", TransferFailureKind.SerialBehind)]
    [InlineData("@ SOA 2147483654,@ NS ns.z.test,@ SOA 2147483654", TransferFailureKind.SerialBehind)]
    [InlineData("@ SOA 6,@ NS ns.z.test,@ SOA 7", TransferFailureKind.Malformed)]
    [InlineData("@ SOA 6,@ SOA 6,@ NS ns.z.test", TransferFailureKind.Malformed)]
    [InlineData("@ SOA 6,www A 192.0.2.1,@ SOA 6,@ SOA 6", TransferFailureKind.Malformed)]
    [InlineData("@ NS ns.z.test,@ SOA 6", TransferFailureKind.Malformed)]
    [InlineData("@ SOA 6,www.other.test. A 192.0.2.1,@ SOA 6", TransferFailureKind.Malformed)]
    [InlineData("@ SOA 6,test. A 192.0.2.1,@ SOA 6", TransferFailureKind.Malformed)]
    [InlineData("@ SOA 6,sub SOA 6,@ SOA 6", TransferFailureKind.Malformed)]
    [InlineData("@ SOA 6,a CNAME b.z.test,a A 192.0.2.1,@ SOA 6", TransferFailureKind.BadZone)]
    [InlineData("@ SOA 6,@ NS ns.z.test", TransferFailureKind.EndedEarly)]
    [InlineData("@ SOA 6", TransferFailureKind.EndedEarly)]
    [Trait("RFC", "5936 §3")]
    public void A_zone_that_is_none_is_refused(string records, TransferFailureKind kind)
    {
        TransferReader reader = Read(Axfr(), [records.Split(',')]);
        Assert.Equal(kind, reader.Failure?.Kind);
        Assert.Null(reader.Zone);
    }

    [Theory]
    [InlineData("@ SOA 7,@ SOA 4,@ SOA 7,@ SOA 7", TransferFailureKind.Malformed)]
    [InlineData("@ SOA 7,@ SOA 5,@ SOA 4,@ SOA 7", TransferFailureKind.Malformed)]
    [InlineData(
        "@ SOA 4,@ SOA 5,@ SOA 2000000000,@ SOA 2000000000,@ SOA 4000000000,@ SOA 4000000000,@ SOA 4,@ SOA 4",
        TransferFailureKind.Malformed)]
    [InlineData("@ SOA 7,@ SOA 5,@ SOA 6,@ SOA 5,@ SOA 7,@ SOA 7", TransferFailureKind.DoesNotFit)]
    [InlineData("@ SOA 7,@ SOA 5,gone A 192.0.2.2,@ SOA 7,@ SOA 7", TransferFailureKind.DoesNotFit)]
    [InlineData("@ SOA 7,@ SOA 5,@ SOA 7,www A 192.0.2.2,@ SOA 7", TransferFailureKind.DoesNotFit)]
    [InlineData("@ SOA 7,@ SOA 5,@ SOA 7,www CNAME ns.z.test,@ SOA 7", TransferFailureKind.DoesNotFit)]
    [InlineData("@ SOA 7,@ SOA 5,@ SOA 7,a.other.test. A 192.0.2.2,@ SOA 7", TransferFailureKind.Malformed)]
    [InlineData("@ SOA 7,@ SOA 5,@ SOA 7", TransferFailureKind.EndedEarly)]
    [Trait("RFC", "1995 §4")]
    public void Differences_that_do_not_fit_are_refused_as_a_whole(string records, TransferFailureKind kind)
    {
        TransferReader reader = Read(Ixfr(), [records.Split(',')]);
        Assert.Equal(kind, reader.Failure?.Kind);
        Assert.Empty(reader.Versions);
        Assert.Equal((5u, 4L), (Have.Serial, Have.RecordCount));
    }

    [Fact, Trait("RFC", "1995 §4")]
    public void Differences_without_end_are_given_up_for_the_whole_zone()
    {
        TransferReader reader = WithDifferences(TransferReader.MaxVersions);
        Assert.Null(reader.Failure);
        Assert.Equal(TransferReader.MaxVersions, reader.Versions.Count);
        reader = WithDifferences(TransferReader.MaxVersions + 1);
        Assert.Equal(TransferFailureKind.DoesNotFit, reader.Failure!.Kind);
        Assert.True(reader.Failure.NeedsAxfr);
        Assert.Empty(reader.Versions);
    }

    [Fact]
    public void Versions_that_each_copy_a_large_name_are_given_up_for_the_whole_zone()
    {
        const int versions = 400;
        // One megabyte at a name, which each version copies for a record of 30 octets.
        Zone have = ZoneText.Load(PrimaryMessages.Zone, $"""
            $TTL 300
            @ SOA ns hostmaster 5 3600 600 86400 60
            @ NS ns
            ns A 192.0.2.1
            $GENERATE 1-5000 large TXT {new string('x', 190)}-$
            """);
        string[] records =
        [
            $"@ SOA {5 + versions}",
            .. Enumerable.Range(5, versions).SelectMany(serial =>
                new[] { $"@ SOA {serial}", $"@ SOA {serial + 1}", $"large TXT v{serial}" }),
            $"@ SOA {5 + versions}",
        ];
        using PrimaryQuery query = PrimaryQuery.Write(4711, Name, RRType.IXFR, have, true, null, Now);
        long before = GC.GetAllocatedBytesForCurrentThread();
        TransferReader reader = Read(query, have, [.. records.Chunk(256)]);
        Assert.Equal(TransferFailureKind.DoesNotFit, reader.Failure?.Kind);
        Assert.True(reader.Failure!.NeedsAxfr);
        Assert.Empty(reader.Versions);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 256 << 20);
    }

    [Fact]
    public void An_operator_gets_a_zone_whatever_its_serial()
    {
        PrimaryQuery query = Axfr();
        TransferReader reader = new(query, Have, _limits, ZoneLimits.Default, acceptsAnySerial: true);
        Assert.Equal(TransferStep.Complete,
            reader.Take(PrimaryMessages.Reply(query, "@ SOA 4", "@ NS ns.z.test", "@ SOA 4").ToOctets(), Now));
        Assert.Equal(4u, reader.Zone!.Serial);
    }

    [Fact]
    public void Another_ID_question_opcode_or_flag_is_no_reply()
    {
        PrimaryQuery query = Axfr();
        QueryMessage good = PrimaryMessages.Reply(query, "@ SOA 6", "@ NS ns.z.test", "@ SOA 6");
        QueryMessage[] wrong =
        [
            good with { Id = (ushort)(query.Id + 1) },
            good with { Question = WireOctets.Question("other.test", RRType.AXFR) },
            good with { Question = WireOctets.Question("z.test", RRType.IXFR) },
            good with { Question = WireOctets.Question("z.test", RRType.AXFR, RRClass.CH) },
            good with { Question = [] },
            good with { Flags = MessageHeader.AuthoritativeAnswer },
            good with { Flags = (ushort)(good.Flags | MessageHeader.Truncated) },
            good with { Flags = (ushort)(good.Flags | (int)Opcode.Notify << 11) },
        ];
        Assert.All(wrong, message =>
        {
            TransferReader reader = ReaderOf(query);
            Assert.Equal(TransferStep.Failed, reader.Take(message.ToOctets(), Now));
            Assert.Equal(TransferFailureKind.WrongReply, reader.Failure!.Kind);
        });
        Assert.Equal(TransferStep.Complete, ReaderOf(query).Take(good.ToOctets(), Now));
    }

    [Theory]
    [InlineData(Rcode.Refused)]
    [InlineData(Rcode.ServFail)]
    [InlineData(Rcode.NotAuth)]
    public void A_code_that_is_an_error_is_told(Rcode rcode)
    {
        PrimaryQuery query = Axfr();
        TransferReader reader = ReaderOf(query);
        QueryMessage reply = new() { Id = query.Id, Flags = (ushort)(MessageHeader.QueryResponse | (int)rcode) };
        Assert.Equal(TransferStep.Failed, reader.Take(reply.ToOctets(), Now));
        Assert.Equal(TransferFailureKind.Refused, reader.Failure!.Kind);
        Assert.Contains(RcodeText.Format(rcode), reader.Failure.Message);
    }

    [Fact]
    public void Octets_that_are_no_message_are_refused_without_an_exception()
    {
        PrimaryQuery query = Axfr();
        byte[] good = PrimaryMessages.Reply(query, "@ SOA 6", "@ NS ns.z.test", "www A 192.0.2.1", "@ SOA 6")
            .ToOctets();
        for (int length = 0; length < good.Length; length++)
            Assert.Equal(TransferStep.Failed, ReaderOf(query).Take(good.AsSpan(0, length), Now));
        Random random = new(1);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] bent = [.. good];
            for (int n = random.Next(1, 4); n > 0; n--) bent[random.Next(bent.Length)] = (byte)random.Next(256);
            ReaderOf(query).Take(bent, Now);
        }
    }

    [Fact]
    public void A_record_that_runs_past_its_message_or_is_malformed_is_refused()
    {
        PrimaryQuery query = Axfr();
        byte[] oversized = WireOctets.Record("www.z.test", RRType.A, 1, 300, [192, 0, 2, 1]);
        oversized[^5] = 200;
        byte[][] records =
        [
            oversized, WireOctets.Record("www.z.test", RRType.A, 1, 300, [192, 0, 2]),
            WireOctets.Record("www.z.test", RRType.A, 3, 300, [192, 0, 2, 1]),
            WireOctets.Record("www.z.test", RRType.ANY, 1, 300, []), WireOctets.Opt(1232, 0, 0),
        ];
        Assert.All(records, record =>
        {
            QueryMessage message = PrimaryMessages.Reply(query, "@ SOA 6");
            TransferReader reader = ReaderOf(query);
            Assert.Equal(TransferStep.Failed,
                reader.Take((message with { Answer = [.. message.Answer, record] }).ToOctets(), Now));
            Assert.Equal(TransferFailureKind.Malformed, reader.Failure!.Kind);
        });
    }

    [Fact]
    public void A_zone_without_end_is_given_up_at_each_limit()
    {
        _limits = new TransferOptions { MaxRecords = 1000 };
        Assert.Equal(TransferFailureKind.TooLarge, Endless().Failure!.Kind);
        _limits = new TransferOptions { MaxOctets = 10_000 };
        TransferReader reader = Endless();
        Assert.Equal(TransferFailureKind.TooLarge, reader.Failure!.Kind);
        Assert.InRange(reader.Octets, 10_000, 10_100);
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(100, false)]
    public void Empty_non_terminals_count_in_the_octets_of_a_zone(int labels, bool isInBounds)
    {
        _limits = new TransferOptions { MaxOctets = 200_000 };
        PrimaryQuery query = Axfr();
        string below = string.Concat(Enumerable.Repeat("a.", labels - 1));
        IEnumerable<string> addresses = Enumerable.Range(0, 100).Select(i => $"{below}n{i} A 192.0.2.1");
        QueryMessage message = PrimaryMessages.Reply(query, ["@ SOA 6", "@ NS ns", .. addresses, "@ SOA 6"]);
        TransferReader reader = ReaderOf(query);
        Assert.Equal(isInBounds ? TransferStep.Complete : TransferStep.Failed, reader.Take(message.ToOctets(), Now));
        if (!isInBounds) Assert.Contains("empty non-terminals", reader.Failure!.Message);
    }

    [Fact]
    public void Owners_that_alternate_do_not_hide_empty_non_terminals()
    {
        _limits = new TransferOptions { MaxOctets = 100_000 };
        string below = string.Concat(Enumerable.Repeat("a.", 99));
        IEnumerable<string[]> addresses = Enumerable.Range(0, 20).Select(i => (string[])[$"{below}n{i} A 192.0.2.1",
            .. Enumerable.Range(0, 100).Select(k => $"{(k % 2 == 0 ? "b" : "c")} A 10.{i}.0.{k}")]);
        TransferReader reader = Read(Axfr(), [["@ SOA 6", "@ NS ns"], .. addresses, ["@ SOA 6"]]);
        Assert.Equal(TransferFailureKind.TooLarge, reader.Failure?.Kind);
    }

    [Theory, Trait("RFC", "1995 §4")]
    [InlineData(1, true)]
    [InlineData(100, false)]
    public void Empty_non_terminals_of_a_difference_count_before_they_are_made(int labels, bool isInBounds)
    {
        // Each name has labels of its own near the apex.
        string below = string.Concat(Enumerable.Repeat("a.", labels - 1));
        IEnumerable<string[]> addresses =
            Enumerable.Range(0, 6000).Select(i => $"{below}n{i} A 192.0.2.1").Chunk(250);
        TransferReader reader =
            Read(Ixfr(), [["@ SOA 6", "@ SOA 5", "@ SOA 6"], .. addresses, ["@ SOA 6"]]);
        Assert.Equal(isInBounds, reader.Failure is null);
        if (isInBounds) return;
        Assert.Equal((TransferFailureKind.DoesNotFit, true), (reader.Failure!.Kind, reader.Failure.NeedsAxfr));
        Assert.Contains("found differences of more than", reader.Failure.Message);
        Assert.Empty(reader.Versions);
    }

    [Fact, Trait("RFC", "1995 §4")]
    public void A_zone_does_not_grow_beyond_its_limit_by_differences()
    {
        _limits = new TransferOptions { MaxOctets = 65_536 };
        Zone have = Have;
        TransferReader reader;
        for (int serial = 5; ; serial++)
        {
            IEnumerable<string> added = Enumerable.Range(0, 400).Select(i => $"n{serial}x{i} A 192.0.2.1");
            PrimaryQuery query = PrimaryQuery.Write(4711, Name, RRType.IXFR, have, true, null, Now);
            reader = Read(query, have, [$"@ SOA {serial + 1}", $"@ SOA {serial}", $"@ SOA {serial + 1}",
                .. added, $"@ SOA {serial + 1}"]);
            if (reader.Failure is not null) break;
            have = reader.Zone!;
            Assert.InRange(serial, 5, 50);
        }
        Assert.Equal(TransferFailureKind.TooLarge, reader.Failure.Kind);
        Assert.Contains("twice what MaxOctets allows", reader.Failure.Message);
        Assert.InRange(have.MemoryBytes, 65_536, 2 * 65_536);
    }

    [Fact, Trait("RFC", "1995 §4")]
    public void Names_next_to_each_other_share_the_names_above_them()
    {
        string below = string.Concat(Enumerable.Repeat("a.", 99));
        IEnumerable<string[]> addresses =
            Enumerable.Range(0, 6000).Select(i => $"n{i}.{below}b A 192.0.2.1").Chunk(250);
        Assert.Null(Read(Ixfr(), [["@ SOA 6", "@ SOA 5", "@ SOA 6"], .. addresses, ["@ SOA 6"]]).Failure);
    }

    [Fact]
    public void Compressed_names_count_as_they_are_stored()
    {
        _limits = new TransferOptions { MaxOctets = 100_000 };
        PrimaryQuery query = Axfr();
        string label = new('n', 60);
        QueryMessage message = PrimaryMessages.Reply(query, "@ SOA 6", $"{label}.{label}.{label} NS ns.z.test");
        int first = MessageHeader.LengthOctets + message.Question.Length + message.Answer[0].Length;
        byte[] name = WireOctets.UInt16(0xC000 | first), fixedPart = WireOctets.Hex("0002 0001 0000012C 0007");
        // Nineteen octets each, of which both names have two and stand for two hundred.
        IEnumerable<byte[]> records = Enumerable.Range(0, 1000)
            .Select(i => (byte[])[.. name, .. fixedPart, 4, .. $"{i:0000}".Select(digit => (byte)digit), .. name]);
        TransferReader reader = ReaderOf(query);
        Assert.Equal(TransferStep.Failed,
            reader.Take((message with { Answer = [.. message.Answer, .. records] }).ToOctets(), Now));
        Assert.Equal(TransferFailureKind.TooLarge, reader.Failure!.Kind);
        Assert.InRange(reader.Octets, 19_000, 25_000);
    }

    [Fact]
    public void Messages_without_records_do_not_go_on_for_ever()
    {
        PrimaryQuery query = Axfr();
        TransferReader reader = ReaderOf(query);
        reader.Take(PrimaryMessages.Reply(query, "@ SOA 6").ToOctets(), Now);
        Assert.Equal(TransferStep.Failed, reader.Take(PrimaryMessages.Reply(query).ToOctets(), Now));
    }

    [Fact, Trait("RFC", "8945 §5.3.1")]
    public void Ninety_nine_messages_in_a_row_may_be_unsigned()
    {
        Assert.Null(ReadSigned(100, signs: i => i is 0 or 100).Failure);
        Assert.Equal(TransferFailureKind.Signature, ReadSigned(101, signs: i => i is 0 or 101).Failure?.Kind);
    }

    [Fact, Trait("RFC", "8945 §5.3.1")]
    public void The_first_and_the_last_message_are_signed()
    {
        Assert.Equal(TransferFailureKind.Signature, ReadSigned(3, signs: i => i > 0).Failure?.Kind);
        Assert.Equal(TransferFailureKind.Signature, ReadSigned(3, signs: i => i < 3).Failure?.Kind);
        Assert.Equal(TransferFailureKind.Signature, ReadSigned(3, signs: _ => false).Failure?.Kind);
    }

    [Fact, Trait("RFC", "8945 §5.3")]
    public void A_signature_that_breaks_in_the_middle_ends_the_transfer()
    {
        TransferReader reader = ReadSigned(5, signs: _ => true, bends: 3);
        Assert.Equal(TransferFailureKind.Signature, reader.Failure?.Kind);
        Assert.Equal(4, reader.Messages);
    }

    [Fact, Trait("RFC", "8945 §5.3.1")]
    public void An_unsigned_message_that_was_changed_breaks_the_next_signature() =>
        Assert.Equal(TransferFailureKind.Signature, ReadSigned(5, signs: i => i is 0 or 5, bends: 3).Failure?.Kind);

    [Fact]
    public void A_transfer_that_is_signed_by_another_key_is_refused()
    {
        TsigKey other = new(DomainName.Parse("k2."), TsigAlgorithm.HmacSha256, new byte[32]);
        TsigKey sameName = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, new byte[31]);
        Assert.Equal(TransferFailureKind.Signature, ReadSigned(1, signs: _ => true, key: other).Failure?.Kind);
        Assert.Equal(TransferFailureKind.Signature, ReadSigned(1, signs: _ => true, key: sameName).Failure?.Kind);
    }

    [Fact]
    public void What_looks_odd_only_is_told_and_served()
    {
        TransferReader reader =
            Read(Axfr(), ["@ SOA 6", "@ NS ns.z.test", "www A 192.0.2.1", "www A 192.0.2.1", "@ SOA 6"]);
        Assert.Equal(2, reader.Warnings.Count);
        Assert.Equal(3L, reader.Zone!.RecordCount);
    }

    private static PrimaryQuery Axfr(TsigKey? key = null) =>
        PrimaryQuery.Write(4711, Name, RRType.AXFR, null, true, key, Now);

    private static PrimaryQuery Ixfr() => PrimaryQuery.Write(4711, Name, RRType.IXFR, Have, true, null, Now);

    private TransferReader ReaderOf(PrimaryQuery query) => new(query, Have, _limits, ZoneLimits.Default);

    private TransferReader Read(PrimaryQuery query, params string[][] messages) => Read(query, Have, messages);

    private TransferReader Read(PrimaryQuery query, Zone have, params string[][] messages)
    {
        TransferReader reader = new(query, have, _limits, ZoneLimits.Default);
        TransferStep step = TransferStep.More;
        foreach (string[] records in messages)
        {
            if (step != TransferStep.More) break;
            step = reader.Take(PrimaryMessages.Reply(query, records).ToOctets(), Now);
        }
        if (step == TransferStep.More) reader.End(Early);
        return reader;
    }

    /// <summary>Differences that change nothing but the serial.</summary>
    private TransferReader WithDifferences(int differences)
    {
        const int inMessage = 256;
        int last = 5 + differences;
        string[] records =
        [
            $"@ SOA {last}", .. Enumerable.Range(5, differences)
                .SelectMany(serial => new[] { $"@ SOA {serial}", $"@ SOA {serial + 1}" }),
            $"@ SOA {last}",
        ];
        return Read(Ixfr(), [.. records.Chunk(inMessage)]);
    }

    private TransferReader Endless()
    {
        PrimaryQuery query = Axfr();
        TransferReader reader = ReaderOf(query);
        reader.Take(PrimaryMessages.Reply(query, "@ SOA 6").ToOctets(), Now);
        for (int i = 0; i < 10_000; i++)
            if (reader.Take(PrimaryMessages.Reply(query, $"a{i} A 192.0.2.1").ToOctets(), Now) != TransferStep.More)
                break;
        return reader;
    }

    /// <summary>A transfer of messages 0 to <paramref name="last"/>, signed as a primary does.</summary>
    private TransferReader ReadSigned(int last, Func<int, bool> signs, int bends = -1, TsigKey? key = null)
    {
        using PrimaryQuery query = Axfr(Key);
        PrimarySignature signature = new(query, Key, Now);
        TransferReader reader = ReaderOf(query);
        for (int i = 0; i <= last; i++)
        {
            string[] records = i == 0 ? ["@ SOA 6", "@ NS ns.z.test"]
                : [i == last ? "@ SOA 6" : $"a{i} A 192.0.2.1"];
            byte[] octets = PrimaryMessages.Reply(query, records).ToOctets();
            byte[] message = key is null ? signature.Next(octets, signs(i)) : PrimarySignature.Of(octets, key, Now);
            if (i == bends) message[octets.Length - 1] ^= 1;
            if (reader.Take(message, Now) != TransferStep.More) return reader;
        }
        reader.End(Early);
        return reader;
    }
}
