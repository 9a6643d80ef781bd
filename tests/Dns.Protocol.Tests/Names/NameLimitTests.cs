using Xunit;

namespace Dns.Protocol.Tests;

public class NameLimitTests
{
    [Fact]
    public void Octets_behind_the_root_label_are_no_part_of_a_name()
    {
        Assert.True(WireName.IsValid([1, (byte)'a', 0]));
        Assert.False(WireName.IsValid([1, (byte)'a', 0, 0]));
    }

    [Fact]
    [Trait("RFC", "1035 4.1.4")]
    public void A_pointer_may_not_lead_forward_though_the_name_began_further_behind()
    {
        // At 17 the name begins; it leads to 12, and from there to 14.
        byte[] message = [.. new byte[12], 0xC0, 14, 1, (byte)'a', 0, 0xC0, 12];
        int position = 17;
        Assert.False(WireName.TryExpand(message, ref position, new byte[WireName.MaxOctets], out _));
        LookupName a = default;
        a.Set(DomainName.Parse("a.").Octets);
        Assert.False(a.IsSuffixAt(0, message, 17));
        Assert.True(a.IsSuffixAt(0, message, 14));
    }

    [Theory]
    [InlineData(63, true)]
    [InlineData(64, false)]
    [InlineData(0x80, false)]
    [InlineData(0xBF, false)]
    public void A_label_of_another_type_is_not_skipped(byte label, bool isSkipped)
    {
        byte[] message = [label, .. new byte[255]];
        message.AsSpan(1).Fill((byte)'a');
        message[(label & 0xFF) + 1] = 0;
        int position = 0;
        Assert.Equal(isSkipped, WireName.TrySkip(message, ref position));
        Assert.Equal(isSkipped ? label + 2 : 0, position);
    }

    [Fact]
    public void What_means_something_in_a_master_file_is_escaped_in_a_name() =>
        Assert.Equal("""\.\\\"\;\(\)\@\$\032\127*_-.""",
            NameText.ToText([13, .. ".\\\";()@$ \u007F*_-"u8, 0]));

    [Theory]
    [InlineData("192.0.2.1", true)]
    [InlineData("::ffff:192.0.2.1", true)]
    [InlineData("::ff00:192.0.2.1", false)]
    [InlineData("::ff:192.0.2.1", false)]
    [InlineData("::1:ffff:192.0.2.1", false)]
    [InlineData("1::ffff:192.0.2.1", false)]
    public void A_client_is_of_IPv4_by_the_whole_prefix(string address, bool isIPv4) =>
        Assert.Equal(isIPv4, ClientAddress.From(new(System.Net.IPAddress.Parse(address), 1)).IsIPv4);

    [Fact]
    public void Clients_differ_by_address_and_by_port()
    {
        ClientAddress client = ClientAddress.From(System.Net.IPEndPoint.Parse("192.0.2.1:53"));
        Assert.Equal(client, ClientAddress.From(System.Net.IPEndPoint.Parse("192.0.2.1:53")));
        Assert.NotEqual(client, ClientAddress.From(System.Net.IPEndPoint.Parse("192.0.2.1:54")));
        Assert.NotEqual(client, ClientAddress.From(System.Net.IPEndPoint.Parse("192.0.2.2:53")));
    }
}
