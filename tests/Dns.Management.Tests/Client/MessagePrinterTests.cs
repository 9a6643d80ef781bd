using System.Net;

namespace Dns.Management.Tests.Client;

public class MessagePrinterTests
{
    private const string Header = "123485800001000100000001";
    private const string Question = "0161076578616D706C650000010001";
    private const string Answer = "C00C0001000100000E100004C0000201";
    private const string Opt =
        "00002904D0010080000015" + "00030003" + "6E7331" + "000F000A" + "0014" + "6E6F207A6F6E1B65";

    private readonly StringWriter _output = new();

    private bool Print(string hex, bool isShort = false)
    {
        QueryReply reply =
            new(Convert.FromHexString(hex), IPEndPoint.Parse("192.0.2.1:53"), true, TimeSpan.FromMilliseconds(1.5));
        MessagePrinter printer = new(_output);
        return isShort ? printer.PrintShort(reply) : printer.Print(reply);
    }

    [Fact]
    public void A_reply_is_printed_whole()
    {
        Assert.True(Print(Header + Question + Answer + Opt));
        Assert.Equal(
            """
            ;; ->>HEADER<<- opcode: QUERY, status: BADVERS, id: 4660
            ;; flags: qr aa rd ra; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 1

            ;; OPT PSEUDOSECTION:
            ; EDNS: version: 0, flags: do; udp: 1232
            ; NSID: 6E7331 ("ns1")
            ; EDE: 20 (NotAuthoritative): "no zon.e"
            ;; QUESTION SECTION:
            ;a.example.	IN	A

            ;; ANSWER SECTION:
            a.example.	3600	IN	A	192.0.2.1

            ;; Query time: 1.5 msec
            ;; SERVER: 192.0.2.1:53 (TCP)
            ;; MSG SIZE  rcvd: 75

            """,
            _output.ToString(), ignoreLineEndingDifferences: true);
    }

    [Fact]
    public void Short_is_the_data_of_the_answer()
    {
        Assert.True(Print(Header + Question + Answer + Opt, isShort: true));
        Assert.Equal("192.0.2.1" + Environment.NewLine, _output.ToString());
    }

    [Fact]
    public void A_cut_reply_is_printed_as_far_as_it_goes_and_is_bad()
    {
        string whole = Header + Question + Answer + Opt;
        for (int octets = 12; octets < whole.Length / 2; octets++) Assert.False(Print(whole[..(octets * 2)]));
        Assert.Contains("malformed", _output.ToString());
    }

    [Fact]
    public void Rdata_that_is_wrong_for_its_type_is_printed_as_octets()
    {
        Print("123480000000000100000000" + "0000010001000000000003C00002");
        Assert.Contains(".\t0\tIN\tA\t\\# 3 C00002", _output.ToString());
    }
}
