using System.Globalization;
using System.Text;
using Xunit;

namespace Dns.Zones.Tests;

/// <summary>
/// Mutated zone text: loading and dumping come to an end without an exception, and what could be dumped is read
/// back as itself. Environment: <c>DNS_FUZZ_SEED</c> repeats a run, <c>DNS_FUZZ_CASES</c> makes it longer.
/// </summary>
public sealed class ZoneTextFuzz(ITestOutputHelper output) : IDisposable
{
    private const string Seed = """
        $TTL 1h
        @ IN SOA ns1 host ( ; comment
            2024010101 1d 2h 1w 300 )
            NS ns1
        ns1 A 192.0.2.1
            60 IN AAAA 2001:db8::1
        t TXT "a string with \" and ;" b\"c "x""y" \; \\ \065
        svc HTTPS 1 . alpn="h2,h3" port=443
        $GENERATE 1-30/3 g${0,2,x} 60 MX 10 m$
        $ORIGIN sub
        *.w\.x 30 IN CNAME a.b.c.
        z TYPE65280 \# 4 DEADBEEF
        d DNAME e.
        n NS ns.n
        ns.n A 192.0.2.2
        l LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m
        p APL 1:192.0.2.0/24 !2:2001:db8::/32
        k DNSKEY 256 3 13 ( oJMRESz5E4gYzS/q6XDrvU1qMPYIjCWzJaOau8XNEZeqCYKD5ar0IRd8KqXXFJkqmVfRvMGPmM1x8fGAa2XhSA== )
        s NSEC t.example.com. A NS TYPE1234
        c CAA 0 issue "ca.example.net; policy=ev"
        $INCLUDE other sub2

        """;

    private static readonly string[] Words =
    [
        "(", ")", "\"", "\\", ";", "\n", "\r\n", " ", "\t", "\0", "@", ".", "$TTL ", "$ORIGIN ", "$INCLUDE zone",
        "$GENERATE ",
        "\\# 3 ", "4294967296", "99999999999999999999", "-1", "\\999", "\\", "..", "CNAME", "SOA", "CH",
        "TYPE65536", "\u00FF",
    ];

    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Mutated_text_never_breaks_the_loader()
    {
        int seed = Setting("DNS_FUZZ_SEED", Environment.TickCount);
        int cases = Setting("DNS_FUZZ_CASES", 1000);
        output.WriteLine($"DNS_FUZZ_SEED={seed}");
        var random = new Random(seed);
        _folder.Write("other", "a 1 A 192.0.2.1\n");
        for (int i = 0; i < cases; i++)
        {
            string text = Mutate(random);
            try
            {
                Try(text);
            }
            catch (Exception exception)
            {
                Assert.Fail($"DNS_FUZZ_SEED={seed} case {i}: {exception}\n{text}");
            }
        }
    }

    private void Try(string text)
    {
        string file = _folder.Write("zone", text);
        ZoneLoadResult result = ZoneLoader.Load(DomainName.Parse("example.com"), file);
        bool hasError = result.Diagnostics.Any(diagnostic => diagnostic.Severity == Severity.Error);
        Assert.Equal(hasError, result.Zone is null);
        foreach (bool generic in (ReadOnlySpan<bool>)[false, true])
        {
            string dump = Dump(file, generic);
            string again = Dump(_folder.Write("dump", dump), generic);
            Assert.Equal(dump, again);
        }
    }

    private static string Dump(string file, bool generic)
    {
        using var records = new MemoryStream();
        ZoneDump.WriteRaw(DomainName.Parse("example.com"), file, generic, records, []);
        return Encoding.Latin1.GetString(records.ToArray());
    }

    private static string Mutate(Random random)
    {
        var text = new StringBuilder(Seed);
        for (int left = random.Next(1, 8); left > 0 && text.Length > 0; left--)
        {
            int at = random.Next(text.Length), length = Math.Min(random.Next(1, 40), text.Length - at);
            switch (random.Next(6))
            {
                case 0: text.Remove(at, length); break;
                case 1: text.Insert(at, Words[random.Next(Words.Length)]); break;
                case 2: text.Insert(at, text.ToString(at, length)); break;
                case 3: text[at] = (char)random.Next(256); break;
                case 4: text.Length = at; break;
                default: text.Insert(random.Next(text.Length), text.ToString(at, length)); break;
            }
        }
        return text.ToString();
    }

    private static int Setting(string name, int fallback) =>
        int.TryParse(Environment.GetEnvironmentVariable(name), CultureInfo.InvariantCulture, out int value)
            ? value : fallback;
}
