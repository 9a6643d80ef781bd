using Dns.Testing;
using Xunit;

namespace Dns.Protocol.Tests;

public class MessageWriterTests
{
    private static readonly byte[] Apex = WireOctets.Name("example.");
    private static readonly byte[] Www = WireOctets.Name("www.example.");

    private static MessageWriter Begin(byte[] buffer, MessageNames? names = null)
    {
        MessageWriter writer = new(buffer, names ?? new MessageNames());
        writer.WriteHeader(0x1234, 0x8400);
        Assert.True(writer.TryWriteQuestion(Www, RRType.A, RRClass.IN));
        return writer;
    }

    private static bool TryAddress(ref MessageWriter writer, byte[] owner) =>
        writer.TryWrite(MessageSection.Answer, owner, RRType.A, RRClass.IN, 60, [192, 0, 2, 1]);

    [Fact]
    public void Header_question_and_counts_are_written()
    {
        MessageWriter writer = Begin(new byte[512]);
        Assert.True(TryAddress(ref writer, Www));
        Assert.Equal(45, writer.Finish());
        Assert.Equal(
            "123484000001000100000000" + "03777777076578616D706C6500" + "00010001" + "C00C000100010000003C0004C0000201",
            Convert.ToHexString(writer.Octets));
    }

    [Fact, Trait("RFC", "1035 4.1.4")]
    public void Names_point_to_the_longest_earlier_end()
    {
        MessageWriter writer = Begin(new byte[512]);
        byte[] rdata = [0, 10, .. WireOctets.Name("mail.www.example.")];
        Assert.True(writer.TryWrite(MessageSection.Answer, Apex, RRType.MX, RRClass.IN, 60, rdata));
        Assert.True(writer.TryWrite(MessageSection.Additional, WireOctets.Name("mail.www.example."), RRType.A,
            RRClass.IN, 60, [1, 2, 3, 4]));
        string text = Convert.ToHexString(writer.Octets[29..]);
        Assert.Equal("C010" + "000F00010000003C" + "0009" + "000A" + "046D61696C" + "C00C" + "C02B" +
            "000100010000003C" + "0004" + "01020304", text);
    }

    [Fact, Trait("RFC", "5936 3.4")]
    public void Another_spelling_is_no_earlier_name()
    {
        MessageWriter writer = Begin(new byte[512]);
        Assert.True(TryAddress(ref writer, WireOctets.Name("WWW.example.")));
        Assert.Equal("03575757C010", Convert.ToHexString(writer.Octets[29..35]));
        Assert.True(TryAddress(ref writer, WireOctets.Name("WWW.example.")));
        Assert.Equal("C01D", Convert.ToHexString(writer.Octets[49..51]));
        Reply reply = Reply.Read(Finished(ref writer));
        Assert.Equal(["WWW.example.", "WWW.example."], reply.Answer.Select(record => record.Owner.ToString()));
    }

    [Fact, Trait("RFC", "3597 4")]
    public void Names_in_other_types_stay_whole()
    {
        MessageWriter writer = Begin(new byte[512]);
        byte[] rdata = [0, 1, 0, 2, 0, 3, .. Www];
        Assert.True(writer.TryWrite(MessageSection.Answer, Www, RRType.SRV, RRClass.IN, 60, rdata));
        Assert.Equal(rdata, writer.Octets[^rdata.Length..].ToArray());
    }

    [Fact]
    public void What_does_not_fit_leaves_the_message_as_it_was()
    {
        byte[] buffer = new byte[512];
        for (int limit = 29; limit < 29 + 16; limit++)
        {
            MessageWriter writer = Begin(buffer);
            writer.Limit = limit;
            Assert.False(TryAddress(ref writer, Www));
            Assert.True(writer.HasOmitted);
            Assert.Equal((29, 0), (writer.Position, writer.Count(MessageSection.Answer)));
            writer.Limit = 512;
            Assert.True(TryAddress(ref writer, Www));
            Assert.Equal(45, writer.Finish());
        }
    }

    [Fact]
    public void Names_of_what_was_taken_back_are_forgotten()
    {
        MessageWriter writer = Begin(new byte[512]);
        MessageMark mark = writer.Mark;
        Assert.True(TryAddress(ref writer, WireOctets.Name("new.test.")));
        writer.Rewind(mark);
        Assert.True(TryAddress(ref writer, WireOctets.Name("one.test.")));
        Assert.True(TryAddress(ref writer, WireOctets.Name("new.test.")));
        Reply reply = Reply.Read(Finished(ref writer));
        Assert.Equal(["one.test.", "new.test."], reply.Answer.Select(record => record.Owner.ToString()));
    }

    [Fact]
    public void A_message_goes_on_in_a_larger_buffer()
    {
        MessageNames names = new();
        byte[] small = new byte[50], large = new byte[512];
        MessageWriter writer = Begin(small, names);
        Assert.True(TryAddress(ref writer, Www));
        Assert.False(TryAddress(ref writer, Www));
        small.CopyTo(large, 0);
        MessageWriter next = new(large, names, writer.Mark);
        Assert.True(TryAddress(ref next, Www));
        Assert.Equal(2, Reply.Read(Finished(ref next)).Answer.Count);
    }

    [Fact]
    public void A_record_is_written_piece_by_piece_or_not_at_all()
    {
        byte[] buffer = new byte[512];
        MessageWriter writer = Begin(buffer);
        writer.Begin(MessageSection.Answer, MessageHeader.LengthOctets, RRType.MX, RRClass.IN, 60);
        writer.WriteUInt16(10);
        writer.WriteName(Www);
        Assert.True(writer.TryEnd());
        Assert.Equal("C00C" + "000F00010000003C" + "0004" + "000A" + "C00C", Convert.ToHexString(writer.Octets[29..]));
        Assert.Equal((35, 41), (writer.TtlOffset, writer.RdataOffset));
        writer.Begin(MessageSection.Answer, Www, RRType.TXT, RRClass.IN, 60);
        writer.WriteOctets(new byte[500]);
        writer.WriteUInt32(1);
        Assert.True(writer.Room.IsEmpty);
        Assert.False(writer.TryEnd());
        Assert.Equal((45, 1), (writer.Finish(), writer.Count(MessageSection.Answer)));
    }

    [Fact, Trait("RFC", "6891 6.1.2")]
    public void Opt_is_written_with_its_options()
    {
        MessageWriter writer = Begin(new byte[512]);
        writer.BeginOpt(1232, Rcode.BadVers, dnssecOk: true);
        writer.WriteOption(EdnsOptionCode.Nsid, [1, 2]);
        Assert.True(writer.TryEnd());
        Reply reply = Reply.Read(Finished(ref writer));
        Assert.Equal((Rcode.BadVers, 1232, 0x01008000u), (reply.Rcode, reply.Payload, reply.Opt!.Ttl));
        Assert.Equal(["Nsid 0102"], reply.Options);
    }

    [Fact]
    public void Relayed_records_fit_behind_the_same_question()
    {
        MessageWriter from = Begin(new byte[512]);
        Assert.True(TryAddress(ref from, Www) && TryAddress(ref from, Apex));
        byte[] records = from.Octets[29..].ToArray();
        RelayedAnswer answer = new() { AnswerCount = 1, AuthorityCount = 1 };
        MessageWriter writer = Begin(new byte[512]);
        writer.Limit = 29 + records.Length - 1;
        Assert.False(writer.TryCopyRecords(in answer, records));
        Assert.Equal((29, true), (writer.Position, writer.HasOmitted));
        writer.Limit = 512;
        Assert.True(writer.TryCopyRecords(in answer, records));
        Reply reply = Reply.Read(Finished(ref writer));
        Assert.Equal(("www.example.", "example."),
            (reply.Answer.Single().Owner.ToString(), reply.Authority.Single().Owner.ToString()));
    }

    [Fact]
    public void Without_a_table_nothing_is_compressed()
    {
        MessageWriter writer = new(new byte[512], names: null);
        writer.WriteHeader(1, 0x8000);
        Assert.True(writer.TryCopyQuestion(WireOctets.Question("www.example.", RRType.NS)));
        for (int i = 0; i < 2; i++)
            Assert.True(writer.TryWrite(MessageSection.Answer, Www, RRType.NS, RRClass.IN, 60, Www));
        Assert.Equal(12 + 17 + 2 * (13 + 10 + 13), writer.Finish());
        Assert.Equal(2, Reply.Read(writer.Octets.ToArray()).Answer.Count);
    }

    [Fact]
    public void A_section_has_65535_records_at_most()
    {
        MessageWriter writer = new(new byte[ushort.MaxValue], new MessageNames());
        MessageWriter full = new(new byte[ushort.MaxValue], new MessageNames(), new MessageMark(12, 0xFFFFUL << 32));
        Assert.True(writer.TryWrite(MessageSection.Answer, [0], RRType.A, RRClass.IN, 60, [1, 2, 3, 4]));
        Assert.False(full.TryWrite(MessageSection.Answer, [0], RRType.A, RRClass.IN, 60, [1, 2, 3, 4]));
        Assert.Equal(0xFFFF, full.Count(MessageSection.Answer));
    }

    [Fact]
    public void A_message_of_64_KB_is_filled_and_read_back()
    {
        byte[] buffer = new byte[70_000];
        MessageWriter writer = new(buffer, new MessageNames(2_000));
        writer.WriteHeader(1, 0x8400);
        List<string> expected = [];
        for (int i = 0; ; i++)
        {
            string owner = $"host{i % 1000}.Example{i % 7}.test.";
            if (!writer.TryWrite(MessageSection.Answer, WireOctets.Name(owner), RRType.NS, RRClass.IN, 1,
                WireOctets.Name("ns." + owner))) break;
            expected.Add(owner);
        }
        Assert.InRange(writer.Finish(), ushort.MaxValue - 64, ushort.MaxValue);
        Reply reply = Reply.Read(writer.Octets.ToArray());
        Assert.Equal(expected, reply.Answer.Select(record => record.Owner.ToString()));
        Assert.All(reply.Answer, record => Assert.Equal("ns." + record.Owner, record.RdataText));
    }

    [Fact]
    public void A_full_table_of_names_only_compresses_less()
    {
        MessageWriter writer = new(new byte[4096], new MessageNames(3));
        writer.WriteHeader(1, 0x8400);
        for (int i = 0; i < 20; i++) Assert.True(TryAddress(ref writer, WireOctets.Name($"n{i}.a.test.")));
        Reply reply = Reply.Read(Finished(ref writer));
        Assert.Equal(Enumerable.Range(0, 20).Select(i => $"n{i}.a.test."),
            reply.Answer.Select(record => record.Owner.ToString()));
    }

    [Fact]
    public void Nothing_points_behind_16383()
    {
        MessageWriter writer = Begin(new byte[ushort.MaxValue]);
        Assert.False(
            writer.TryWrite(MessageSection.Answer, MessageNames.MaxOffset + 1, RRType.A, RRClass.IN, 60, [1, 2, 3, 4]));
        byte[] text = [255, .. new byte[255]];
        while (writer.Position <= MessageNames.MaxOffset)
            Assert.True(writer.TryWrite(MessageSection.Answer, Www, RRType.TXT, RRClass.IN, 1, text));
        Assert.True(TryAddress(ref writer, WireOctets.Name("late.test.")));
        Assert.True(TryAddress(ref writer, WireOctets.Name("late.test.")));
        Assert.Equal("late.test.", Reply.Read(Finished(ref writer)).Answer[^1].Owner.ToString());
    }

    [Fact]
    public void Writing_allocates_nothing()
    {
        byte[] buffer = new byte[4096];
        MessageNames names = new();
        Assert.InRange(Write(buffer, names), 100, 4096);
        Assert.Equal(0, AllocatedOctets.Least(() => Write(buffer, names)));
    }

    private static int Write(byte[] buffer, MessageNames names)
    {
        MessageWriter writer = new(buffer, names);
        writer.WriteHeader(1, 0x8400);
        writer.TryWriteQuestion(Www, RRType.NS, RRClass.IN);
        for (int i = 0; i < 10; i++) writer.TryWrite(MessageSection.Answer, Apex, RRType.NS, RRClass.IN, 60, Www);
        writer.BeginOpt(1232);
        writer.WriteOption(EdnsOptionCode.Padding, Apex);
        return writer.TryEnd() ? writer.Finish() : 0;
    }

    private static byte[] Finished(ref MessageWriter writer)
    {
        writer.Finish();
        return writer.Octets.ToArray();
    }
}
