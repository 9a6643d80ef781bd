using Dns.Testing;
using Xunit;

namespace Dns.Protocol.Tests;

[Trait("RFC", "1035 4.1")]
public class MessageReaderTests
{
    private const string Question = "0161" + "00" + "0001" + "0001";
    private const string Address = "C00C" + "0001" + "0001" + "0000003C" + "0004" + "C0000201";
    private const string Opt = "00" + "0029" + "04D0" + "00008000" + "0000";
    private const string Tsig = "00" + "00FA" + "00FF" + "00000000" + "0000";

    private static RecordReader Records(string hex)
    {
        Assert.True(MessageReader.TryOpen(Convert.FromHexString(hex), out MessageReader message));
        return message.ReadRecords();
    }

    [Fact]
    public void Header_is_read()
    {
        Assert
            .True(MessageReader.TryOpen(Convert.FromHexString("1234A5830001000200030004"), out MessageReader message));
        Assert.Equal((0x1234, 0xA583, true), (message.Id, message.Flags, message.IsResponse));
        Assert.Equal((Opcode.Notify, Rcode.NXDomain), (message.Opcode, message.HeaderRcode));
        Assert.Equal((1, 2), (message.Count(MessageSection.Question), message.Count(MessageSection.Answer)));
        Assert.Equal((3, 4), (message.Count(MessageSection.Authority), message.Count(MessageSection.Additional)));
    }

    [Fact]
    public void The_name_of_a_question_is_given_where_it_is_not_compressed()
    {
        byte[] octets = Convert.FromHexString("123401000002000000000000" + Question + "C00C" + "0010" + "0003");
        Assert.True(MessageReader.TryOpen(octets, out MessageReader message));
        Assert.True(message.TryReadQuestion(out QuestionReader first));
        Assert.True(first.TryGetName(out ReadOnlySpan<byte> name));
        Assert.Equal("016100", Convert.ToHexString(name));
        Assert.True(message.TryReadQuestion(out QuestionReader second));
        Assert.False(second.TryGetName(out _));
        byte[] expanded = new byte[WireName.MaxOctets];
        Assert.True(second.TryExpandName(expanded, out int length));
        Assert.Equal("016100", Convert.ToHexString(expanded, 0, length));
        Assert.Equal((RRType.TXT, RRClass.CH, octets.Length), (second.Type, second.Class, second.EndOffset));
        Assert.False(message.TryReadQuestion(out _));
        Assert.True(message.ReadRecords().IsAtEnd);
    }

    [Fact]
    public void A_message_shorter_than_a_header_is_not_opened()
    {
        for (int length = 0; length < MessageHeader.LengthOctets; length++)
            Assert.False(MessageReader.TryOpen(new byte[length], out _));
        Assert.True(MessageReader.TryOpen(new byte[MessageHeader.LengthOctets], out MessageReader message));
        Assert.False(message.TryReadQuestion(out _));
        Assert.True(message.ReadRecords().IsAtEnd);
    }

    [Fact]
    public void Records_come_with_their_sections()
    {
        RecordReader records =
            Records("12348580" + "0001" + "0002" + "0001" + "0001" + Question + Address + Address + Address + Opt);
        MessageSection[] sections = [MessageSection.Answer, MessageSection.Answer, MessageSection.Authority,
            MessageSection.Additional];
        foreach (MessageSection section in sections)
        {
            Assert.True(records.TryRead());
            Assert.Equal(section, records.Section);
        }
        Assert.False(records.TryRead());
        Assert.True(records.IsAtEnd);
    }

    [Fact]
    public void Fields_of_a_record_are_read()
    {
        RecordReader records = Records("12348580" + "0001" + "0001" + "0000" + "0000" + Question + Address);
        Assert.True(records.TryRead());
        Assert.Equal((RRType.A, RRClass.IN, 60u, 19, 31, 4),
            (records.Type, records.Class, records.Ttl, records.OwnerOffset,
            records.RdataOffset, records.RdataOctets));
        Assert.Equal(25, records.TtlOffset);
        Assert.True(records.IsOwnerPointerToQuestion);
        Assert.Equal("C0000201", Convert.ToHexString(records.Rdata));
        LookupName name = default;
        Assert.True(records.TryReadOwner(ref name));
        Assert.Equal("a.", NameText.ToText(name.Octets));
    }

    [Theory]
    [InlineData("0001" + "0001" + "0000" + "0000" + Question + "C00C" + "0001")]
    [InlineData(
        "0001" + "0001" + "0000" + "0000" + Question + "C00C" + "0001" + "0001" + "0000003C" + "0005" + "C0000201")]
    [InlineData("0001" + "0001" + "0000" + "0000" + Question + "C013" + "0001" + "0001" + "0000003C" + "0000")]
    [InlineData("0001" + "0001" + "0000" + "0000" + Question + "40" + "0001" + "0001" + "0000003C" + "0000")]
    [InlineData("0001" + "0001" + "0000" + "0000" + "016100" + "0001" + "00")]
    [InlineData("0002" + "0000" + "0000" + "0000" + Question)]
    [InlineData("0001" + "FFFF" + "FFFF" + "FFFF" + Question)]
    public void What_is_cut_off_or_points_forward_is_malformed(string rest)
    {
        RecordReader records = Records("12348580" + rest);
        Assert.False(records.TryRead());
        Assert.True(records.IsMalformed);
        Assert.False(records.IsAtEnd);
        Assert.False(records.TryRead());
    }

    [Fact]
    public void Octets_behind_the_last_record_are_no_end()
    {
        RecordReader records = Records("12348580" + "0001" + "0001" + "0000" + "0000" + Question + Address + "00");
        Assert.True(records.TryRead());
        Assert.False(records.TryRead());
        Assert.False(records.IsAtEnd);
        Assert.False(records.IsMalformed);
    }

    [Theory, Trait("RFC", "8945 5.1")]
    [InlineData("0000" + "0000" + "0001", Tsig, 19)]
    [InlineData("0000" + "0000" + "0002", Opt + Tsig, 30)]
    [InlineData("0000" + "0000" + "0002", Tsig + Opt, 0)]
    [InlineData("0001" + "0000" + "0000", Tsig, 0)]
    [InlineData("0000" + "0000" + "0001", Tsig + "00", 19)]
    public void Tsig_is_found_as_the_last_additional_record_alone(string counts, string records, int offset)
    {
        byte[] octets = Convert.FromHexString("12348580" + "0001" + counts + Question + records);
        Assert.True(MessageReader.TryOpen(octets, out MessageReader message));
        Assert.Equal(offset > 0, message.TryFindTsig(out int found));
        Assert.Equal(offset, found);
    }

    [Theory, Trait("RFC", "6891 6.1.1")]
    [InlineData("0000" + "0000" + "0001", Opt, true)]
    [InlineData("0001" + "0000" + "0001", Address + Opt, true)]
    [InlineData("0001" + "0000" + "0000", Opt, false)]
    [InlineData("0001" + "0000" + "0001", Opt + Address, false)]
    [InlineData("0000" + "0000" + "0001", "C00C" + "0029" + "04D0" + "00008000" + "0000", false)]
    [InlineData("0000" + "0000" + "0001", Address, false)]
    public void Opt_is_found_in_the_additional_section_under_the_root_alone(string counts, string records, bool isFound)
    {
        byte[] octets = Convert.FromHexString("12348580" + "0001" + counts + Question + records);
        Assert.True(MessageReader.TryOpen(octets, out MessageReader message));
        Assert.Equal(isFound, message.TryFindOpt(out OptReader opt));
        Assert.Equal(isFound ? 1232 : 0, opt.PayloadOctets);
        Assert.Equal(isFound, opt.DnssecOk);
    }

    [Fact]
    public void Opt_has_version_and_the_upper_bits_of_the_code()
    {
        byte[] octets = QueryMessage.For("a")
            .With(WireOctets.Opt(512, 0x0103, 0, WireOctets.Option(EdnsOptionCode.Nsid, [7]))).ToOctets();
        Assert.True(MessageReader.TryOpen(octets, out MessageReader message));
        Assert.True(message.TryFindOpt(out OptReader opt));
        Assert.Equal(((byte)3, Rcode.BadVers, false), (opt.Version, opt.FullRcode(Rcode.NoError), opt.DnssecOk));
        Assert.True(opt.TryFind(EdnsOptionCode.Nsid, out ReadOnlySpan<byte> data));
        Assert.Equal("07", Convert.ToHexString(data));
        Assert.False(opt.TryFind(EdnsOptionCode.Cookie, out _));
    }

    [Theory]
    [InlineData("", 0, true)]
    [InlineData("00030000", 1, true)]
    [InlineData("0003000101" + "000A00020102", 2, true)]
    [InlineData("000300", 0, false)]
    [InlineData("0003000101" + "000A0002FF", 1, false)]
    public void Options_end_with_the_record_or_are_malformed(string hex, int count, bool isWhole)
    {
        EdnsOptionReader options = new(Convert.FromHexString(hex));
        for (int i = 0; i < count; i++) Assert.True(options.TryRead());
        Assert.False(options.TryRead());
        Assert.Equal(isWhole, options.IsAtEnd);
    }

    [Fact]
    public void Detached_records_may_point_to_what_stood_before_them()
    {
        // Behind a question of 20 octets: a pointer to offset 12 leads forward within these octets, but not within the
        // message.
        byte[] octets = Convert.FromHexString(Address + Address), room = new byte[255];
        RecordReader records = RecordReader.OfDetached(octets, 2, messageOffset: 32);
        Assert.True(records.TryRead() && records.TryRead());
        Assert.False(records.TryRead());
        Assert.True(records.IsAtEnd);
        Assert.False(records.TryExpandOwner(room, out _));
        RecordReader first = RecordReader.OfDetached(octets, 2, messageOffset: 12);
        Assert.False(first.TryRead());
    }

    [Fact]
    public void Reading_allocates_nothing()
    {
        byte[] octets = Convert
            .FromHexString("12348580" + "0001" + "0002" + "0000" + "0002" + Question + Address + Address + Opt + Tsig);
        byte[] room = new byte[Rdata.MaxOctets];
        Assert.Equal(4, Read(octets, room));
        Assert.Equal(0, AllocatedOctets.Least(() => Read(octets, room)));
    }

    private static int Read(byte[] octets, byte[] room)
    {
        LookupName name = default;
        if (!MessageReader.TryOpen(octets, out MessageReader message) ||
            !message.TryReadQuestion(out QuestionReader question)) return -1;
        if (!question.TryReadName(ref name) || !message.TryFindOpt(out _) || !message.TryFindTsig(out _)) return -1;
        int count = 0;
        for (RecordReader records = message.ReadRecords(); records.TryRead(); count++)
            if (!records.TryReadOwner(ref name) || !records.TryReadRdata(room, out _)) return -1;
        return count;
    }
}
