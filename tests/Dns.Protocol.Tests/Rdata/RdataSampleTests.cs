using System.Buffers;
using System.Text;
using Xunit;

namespace Dns.Protocol.Tests;

public class RdataSampleTests
{
    public static TheoryData<int> Rows => new(Enumerable.Range(0, RdataSamples.All.Count));

    [Theory, MemberData(nameof(Rows))]
    public void Text_becomes_the_octets_of_the_wire(int row)
    {
        RdataSamples.Sample sample = RdataSamples.All[row];
        Assert.Equal(sample.Hex, Convert.ToHexString(TextTokens.Parse(TextTokens.Type(sample.Type), sample.Text)));
    }

    [Theory, MemberData(nameof(Rows))]
    public void Octets_become_the_canonical_text(int row)
    {
        RdataSamples.Sample sample = RdataSamples.All[row];
        Assert.Equal(sample.Canonical,
            TextTokens.Format(TextTokens.Type(sample.Type), Convert.FromHexString(sample.Hex)));
    }

    [Theory, MemberData(nameof(Rows))]
    public void Canonical_text_reads_back_as_the_same_octets(int row)
    {
        RdataSamples.Sample sample = RdataSamples.All[row];
        Assert.Equal(sample.Hex, Convert.ToHexString(TextTokens.Parse(TextTokens.Type(sample.Type), sample.Canonical)));
    }

    [Theory, MemberData(nameof(Rows))]
    public void Generic_text_reads_back_as_the_same_octets(int row)
    {
        RdataSamples.Sample sample = RdataSamples.All[row];
        ArrayBufferWriter<byte> generic = new();
        Rdata.FormatGeneric(Convert.FromHexString(sample.Hex), generic);
        string text = Encoding.Latin1.GetString(generic.WrittenSpan);
        Assert.Equal(sample.Hex, Convert.ToHexString(TextTokens.Parse(TextTokens.Type(sample.Type), text)));
    }

    [Theory, MemberData(nameof(Rows))]
    public void Rdata_that_is_cut_short_is_refused_or_still_means_something(int row)
    {
        RdataSamples.Sample sample = RdataSamples.All[row];
        RRType type = TextTokens.Type(sample.Type);
        byte[] rdata = Convert.FromHexString(sample.Hex);
        for (int length = 0; length < rdata.Length; length++)
        {
            byte[] cut = rdata[..length];
            bool isGeneric = TextTokens.Format(type, cut).StartsWith(@"\# ", StringComparison.Ordinal);
            bool isWithoutText = type == RRType.WKS && cut is [.., 0];
            Assert.True(isGeneric == (isWithoutText || !Rdata.IsValid(type, cut))
                || RdataTable.Find(type).Fields is [RdataField.Opaque]);
        }
    }

    [Fact]
    public void The_table_reaches_to_the_largest_value_of_the_list()
    {
        RdataLayout layout = RdataTable.Find(RRType.IPN);
        RdataLayout?[] rows = RdataTable.RowsOf([(RRType.A, layout), ((RRType)300, layout), (RRType.MX, layout)]);
        Assert.Equal((301, layout, null), (rows.Length, rows[300], rows[299]));
    }

    [Fact]
    public void Every_type_with_a_row_of_its_own_has_a_sample()
    {
        IEnumerable<RRType> withRow = Enum.GetValues<RRType>()
            .Where(type => RdataTable.Find(type).Fields is not [RdataField.Opaque]);
        Assert.Empty(withRow.Except(RdataSamples.All.Select(sample => TextTokens.Type(sample.Type))));
    }

    [Fact]
    public void Only_types_without_a_text_form_are_opaque()
    {
        IEnumerable<RRType> opaque = Enum.GetValues<RRType>()
            .Where(type => !Rdata.IsMeta(type) && RdataTable.Find(type).Fields is [RdataField.Opaque]);
        Assert.Equal([RRType.NULL, RRType.UINFO, RRType.UID, RRType.GID, RRType.UNSPEC], opaque);
    }
}
