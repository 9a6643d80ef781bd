using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>
/// Phase 5: writes the same records, with names in full, by the hash set of offsets, and as pre-encoded
/// octets.
/// </summary>
public class Rendering
{
    private readonly byte[] _message = new byte[PlannedAnswer.RoomOctets];
    private PlannedAnswer _plan = null!;
    private PlainNames _plain;
    private HashedNames _hashed;

    /// <summary>The answer.</summary>
    [Params("positive", "positive with additional", "root referral", "NXDOMAIN", "SERVFAIL")]
    public string Answer { get; set; } = "";

    /// <summary>Lets the responder answer once and splits the answer.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        _plan = Answer switch
        {
            "positive" => Plan(SampleMessages.Query),
            "positive with additional" => new PlannedAnswer(
                BenchZone.Responder(BenchZone.Small("example.net", MailZone())),
                QueryText.Encode("example.net.", RRType.MX)),
            "root referral" => new PlannedAnswer(
                BenchZone.Responder(BenchZone.Small(".", RootZone())),
                QueryText.Encode("www.example.com.", RRType.A, edns: true)),
            "NXDOMAIN" => Plan(QueryText.Encode("nobody.example.com.", RRType.A)),
            _ => new PlannedAnswer(BenchZone.Responder(new ZoneSlot(DomainName.Parse("example.com."))),
                SampleMessages.Query),
        };
        _plan.Octets.CopyTo(_message, 0);
    }

    private static PlannedAnswer Plan(byte[] query) => new(SampleMessages.Responder, query);

    private static string MailZone() => $"""
        $TTL 300
        @ SOA ns hostmaster 1 3600 600 86400 300
        @ NS ns
        ns A 192.0.2.53
        {string.Join('\n', Enumerable.Range(1, 4).Select(i =>
            $"@ MX {i} mail{i}\nmail{i} A 192.0.2.{i}\nmail{i} AAAA 2001:db8::{i}"))}

        """;

    private static string RootZone()
    {
        string[] letters = [.. Enumerable.Range(0, 13).Select(i => ((char)('a' + i)).ToString())];
        return $"""
            $TTL 86400
            . SOA a.root-servers.net. hostmaster.example. 1 1800 900 604800 86400
            . NS a.root-servers.net.
            a.root-servers.net. A 192.0.2.1
            {string.Join('\n', letters.Select(letter => $"com. NS {letter}.gtld-servers.net."))}
            {string.Join('\n', letters.Select((letter, i) =>
                $"{letter}.gtld-servers.net. A 192.0.2.{i}\n{letter}.gtld-servers.net. AAAA 2001:db8::{i}"))}

            """;
    }

    /// <summary>
    /// The server's own path, from the query on: lookup, owners at known offsets, a hash set for the names in RDATA.
    /// </summary>
    [Benchmark]
    public int WholeResponder() => _plan.Respond(_message);

    /// <summary>The same hash set for every name, owners too, each hashed anew.</summary>
    [Benchmark]
    public int HashSet() => _plan.Render(_message, ref _hashed);

    /// <summary>Pre-encoded octets copied after the question.</summary>
    [Benchmark]
    public int Compiled()
    {
        ReadOnlySpan<byte> ready = _plan.Octets;
        ready[2..12].CopyTo(_message.AsSpan(2));
        ready[_plan.QuestionEnd..].CopyTo(_message.AsSpan(_plan.QuestionEnd));
        return ready.Length;
    }

    /// <summary>Names in full.</summary>
    [Benchmark]
    public int NoCompression() => _plan.Render(_message, ref _plain);
}
