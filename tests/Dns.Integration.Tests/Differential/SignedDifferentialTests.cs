using System.Diagnostics;
using Dns.Testing;
using Xunit;

namespace Dns.Integration.Tests;

/// <summary>
/// Generated zones that BIND's tools have signed: what Knot, NSD, BIND and our program answer, and what Unbound
/// validates.
/// </summary>
public sealed class SignedDifferentialTests : IDisposable
{
    private const string Apex = "d0.test";
    private const int Questions = 400;

    private static readonly RRType[] Types =
        [RRType.A, RRType.A, RRType.AAAA, RRType.TXT, RRType.MX, RRType.NS, RRType.DS, RRType.SOA, RRType.CNAME,
            RRType.DNSKEY, RRType.SRV];

    // Unbound takes no answer below an asterisk that has no data, nor one about a name that begins with one: others
    // agree with ours.
    private static readonly string[] PlainLabels =
        [.. ((string[])["a", "h", "ent", "w", "wc", "wm", "alias", "dn", "cut", "sec"])
            .SelectMany(label => (string[])[$"{label}1", $"{label}2", $"{label}3"]), "x"];

    private static readonly string[] Labels = ["a", "b", "c", "d", "*", "x", "ns1"];

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-signed-").FullName;
    private readonly List<PeerServer> _servers = [];

    /// <summary>Seeds and the denial options of dnssec-signzone.</summary>
    public static TheoryData<int, string> Zones => new()
    {
        { 1, "" }, { 2, "" }, { 3, "-3 - -H 0" }, { 4, "-3 ABCD -H 5" }, { 5, "-3 - -H 0 -A" }, { 6, "-3 AB -H 1 -A" },
    };

    public void Dispose()
    {
        foreach (PeerServer server in _servers) server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [PeersTheory, MemberData(nameof(Zones))]
    public void Answers_are_those_of_another_server_and_of_all_where_they_agree(int seed, string denial)
    {
        Random random = new(seed);
        Sign(new DifferentialZone(random, Apex, [Apex]).Next(), denial);
        PeerServer ours = Start(PeerKind.Ours);
        PeerServer[] peers = [.. PeerKind.All.Select(Start)];
        List<string> differences = [];
        for (int left = Questions; left > 0; left--)
        {
            QueryMessage query = Next(random, Labels);
            string answer = Summary(Ask(ours, query, isForeign: false));
            string[] others = [.. peers.Select(peer => Summary(Ask(peer, query, isForeign: true)))];
            if (!others.Contains(answer))
                differences.Add(
                    $"{Text(query)}\nours\n{answer}\n{peers[0].Name}\n{others[0]}\n{peers[1].Name}\n{others[1]}\n");
        }
        Assert.True(differences.Count == 0,
            $"{differences.Count} differences\n{string.Join('\n', differences.Take(4))}");
    }

    [PeersTheory, MemberData(nameof(Zones))]
    public void A_validating_resolver_takes_every_answer(int seed, string denial)
    {
        Random random = new(seed);
        string anchor = Sign(PlainZone(), denial);
        PeerServer ours = Start(PeerKind.Ours);
        PeerServer resolver = Start(Validating(ours.Port, anchor));
        List<string> faults = [];
        int secure = 0;
        for (int left = Questions; left > 0; left--)
        {
            QueryMessage query = Next(random, PlainLabels);
            Reply reply = Ask(ours, query, isForeign: false);
            if (!CanBeResolved(query, reply)) continue;
            QueryMessage recursive = query with { Flags = MessageHeader.RecursionDesired };
            Reply validated = Reply.Read(resolver.AskOverTcp(recursive.ToOctets()), isForeign: true);
            bool isSecure = (validated.Flags & MessageHeader.AuthenticData) != 0,
                mayBeInsecure = denial.EndsWith("-A", StringComparison.Ordinal);
            if (isSecure) secure++;
            if (validated.Rcode != reply.Rcode || (!isSecure && !mayBeInsecure))
                faults.Add($"{Text(query)}\nours\n{reply}\nunbound\n{validated.Header}\n");
        }
        Assert.True(faults.Count == 0, $"{faults.Count} faults\n{string.Join('\n', faults.Take(4))}");
        Assert.InRange(secure, Questions / 8, Questions);
    }

    /// <summary>Queries over UDP, and over TCP after truncation.</summary>
    private static Reply Ask(PeerServer server, QueryMessage query, bool isForeign)
    {
        byte[] packet = query.ToOctets();
        Reply reply = Reply.Read(server.Ask(packet)!, isForeign);
        return reply.IsTruncated ? Reply.Read(server.AskOverTcp(packet), isForeign) : reply;
    }

    /// <summary>
    /// Whether the zone has the whole answer: not for aliases out of it, into a delegation or in a loop.
    /// </summary>
    private static bool CanBeResolved(QueryMessage query, Reply reply)
    {
        bool isDsOfApex = Text(query) == $"{Apex}. DS";
        bool isAuthoritative =
            (reply.Flags & MessageHeader.AuthoritativeAnswer) != 0 && reply.Rcode is Rcode.NoError or Rcode.NXDomain;
        MessageRecord? last = reply.Answer.LastOrDefault(record => record.Type != RRType.RRSIG);
        // Unbound finds no signature over the alias that a DNAME makes, if that is what it was asked for.
        bool isOfDname = reply.Answer.Any(record => record.Type == RRType.DNAME);
        bool leadsOn =
            last is { Type: RRType.CNAME } && (isOfDname || !Text(query).EndsWith(" CNAME", StringComparison.Ordinal));
        return !isDsOfApex && isAuthoritative && (!leadsOn || reply.Authority.Any(record => record.Type == RRType.SOA));
    }

    private static PeerKind Validating(int port, string anchor) => new(
        "validator", "/usr/sbin/unbound", file => ["-d", "-p", "-c", file], (own, _, state, _) => $"""
            server:
                interface: 127.0.0.1@{own}
                do-daemonize: no
                username: ""
                chroot: ""
                directory: "{state}"
                use-syslog: no
                num-threads: 1
                module-config: "validator iterator"
                trust-anchor-file: "{anchor}"
                do-not-query-localhost: no
                qname-minimisation: no
                aggressive-nsec: no
                access-control: 127.0.0.0/8 allow_setrd
                local-zone: "test." nodefault
            remote-control:
                control-enable: no
            stub-zone:
                name: "{Apex}"
                stub-addr: 127.0.0.1@{port}
            """);

    private PeerServer Start(PeerKind kind)
    {
        PeerServer server = new(kind, _folder, [Apex]);
        _servers.Add(server);
        return server;
    }

    private static string Text(QueryMessage query)
    {
        byte[] question = query.Question;
        return $"{NameText.ToText(question.AsSpan(0, question.Length - 4))} " +
            $"{RRTypeText.Format((RRType)(question[^4] << 8 | question[^3]))}";
    }

    private static QueryMessage Next(Random random, string[] labels)
    {
        string name = Apex;
        for (int depth = random.Next(5); depth > 0; depth--) name = $"{labels[random.Next(labels.Length)]}.{name}";
        return new QueryMessage
            { Id = (ushort)random.Next(65536), Question = WireOctets.Question(name, Types[random.Next(Types.Length)]) }
            .WithEdns(4096, dnssecOk: true);
    }

    /// <summary>RCODE, flags, answer and authority, unordered; without optional additions of servers.</summary>
    private static string Summary(Reply reply)
    {
        bool isPositive = reply.Answer.Count > 0;
        IEnumerable<MessageRecord> authority = reply.Authority.Where(record => !isPositive || !IsOfNs(record));
        IEnumerable<string> lines = [.. reply.Answer.Select(record => $"answer {record}"),
            .. authority.Select(record => $"authority {record}")];
        return $"{reply.Header}\n" +
            $"{string.Join('\n', lines.Select(line => line.ToLowerInvariant()).Order(StringComparer.Ordinal))}";
    }

    private static bool IsOfNs(MessageRecord record) =>
        record.Type == RRType.NS ||
            (record.Type == RRType.RRSIG && (record.Rdata[0] << 8 | record.Rdata[1]) == (int)RRType.NS);

    private static string PlainZone() =>
        "$TTL 300\n@ SOA ns1 host 7 7200 3600 1209600 300\n@ NS ns1\nns1 A 192.0.2.1\n" +
            string.Concat(Enumerable.Range(1, 3).Select(i => $"""
            h{i} A 192.0.2.{i}
            h{i} MX 10 a{i}
            a{i} AAAA 2001:db8::{i}
            h{i}.a{i}.ent{i} TXT "deep"
            *.w{i} A 192.0.2.9
            *.wc{i} CNAME h{i}
            *.wm{i}.ent{i} MX 10 h{i}
            alias{i} CNAME x.w{i}
            alias1.a{i} CNAME alias2.a{i}
            alias2.a{i} CNAME x.wc{i}
            dn{i} DNAME ent{i}
            cut{i} NS ns.cut{i}
            ns.cut{i} A 192.0.2.8
            sec{i}.h{i} NS ns1
            sec{i}.h{i} DS 1 13 2 {new string('A', 64)}
            cut{i}.sec{i} NS ns1

            """));

    /// <summary>Makes a key and has a zone signed. Returns the file of the trust anchor.</summary>
    private string Sign(string text, string denial)
    {
        File.WriteAllText(Path.Combine(_folder, "plain"), text);
        Run("dnssec-keygen", "-a", "ECDSAP256SHA256", "-f", "KSK", Apex);
        string[] options = denial.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        Run("dnssec-signzone", ["-P", "-z", "-S", "-K", ".", "-o", Apex, "-f", $"{Apex}.zone", .. options, "plain"]);
        return Directory.GetFiles(_folder, "K*.key").Single();
    }

    private void Run(string program, params string[] arguments)
    {
        ProcessStartInfo start = new(program, arguments)
            { WorkingDirectory = _folder, RedirectStandardOutput = true, RedirectStandardError = true };
        using Process process = Process.Start(start)!;
        process.OutputDataReceived += static (_, _) => { };
        process.BeginOutputReadLine();
        string errors = process.StandardError.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, $"{program}: {errors}");
    }
}
