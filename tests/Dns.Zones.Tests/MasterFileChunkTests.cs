using System.Text;
using Xunit;

namespace Dns.Zones.Tests;

/// <summary>However a file falls into the buffer, the same records and errors come out.</summary>
public sealed class MasterFileChunkTests : IDisposable
{
    private const string Text = """
        $TTL 1h
        @ IN SOA ns1 host ( ; a comment with " and ( in it
            2024010101 1d 2h
            1w 300 )
            NS ns1
        ns1 A 192.0.2.1 ; comment
            60 IN AAAA 2001:db8::1
        t TXT "a string with \" and ; and
         a line end" b\"c "x""y" \; \\
        broken A 192.0.2.256
        broken2 A ) 192.0.2.1
        svc HTTPS 1 . alpn="h2,h3" port=443 ; alpn
        $GENERATE 1-3 g$ A 192.0.2.$
        $ORIGIN sub
        w\.x.y 30 IN A 192.0.2.9
        unclosed TXT "never closed
        last TXT "text"
        open A (
        """;

    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("\n")]
    [InlineData("\r\n")]
    public void Every_buffer_size_reads_the_same(string newline)
    {
        string file = _folder.Write("zone", Text.ReplaceLineEndings(newline));
        string expected = ReadAll(file, MasterFileScanner.InitialBufferOctets);
        Assert.Contains("sub.example.com", expected);
        for (int octets = 1; octets < 1200; octets += octets < 300 ? 1 : 37)
            Assert.Equal(expected, ReadAll(file, octets));
    }

    [Fact]
    public void Every_prefix_is_read_to_its_end()
    {
        for (int length = 0; length <= Text.Length; length++)
        {
            string file = _folder.Write("zone", Text[..length]);
            Assert.Equal(ReadAll(file, MasterFileScanner.InitialBufferOctets), ReadAll(file, 64));
        }
    }

    private static string ReadAll(string file, int bufferOctets)
    {
        var log = new DiagnosticLog();
        var read = new StringBuilder();
        byte[] origin = DomainName.Parse("example.com").Octets.ToArray();
        Assert.True(
            MasterFileReader.TryOpen(origin, file, log, out MasterFileReader? reader, ofCommand: true, bufferOctets));
        using (reader)
        {
            while (reader.Read())
                read.AppendLine(
                    $"{reader.Location} {reader.RdataLocation} {NameText.ToText(reader.Owner)} {reader.IsSameOwner} "
                    + $"{reader.Ttl} {reader.Class} {reader.Type} {Convert.ToHexString(reader.Rdata)}");
        }
        foreach (ZoneDiagnostic diagnostic in log.ToList()) read.AppendLine($"{diagnostic.Column} {diagnostic}");
        return read.ToString();
    }
}
